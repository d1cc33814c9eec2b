import JSON
import JSONSchema

/// The alternatives of `anyOf` and `oneOf`.
extension PairVisit {
    /// More pairs of alternatives than these are not compared with each other.
    private static let mostMatches = 2_500

    private var isReaderNew: Bool { direction == .request }

    mutating func compareAlternatives() {
        guard before.groups.count == after.groups.count else { return tellAlternatives() }
        for (old, new) in zip(before.groups, after.groups) { compare(old, new) }
    }

    private mutating func compare(_ old: SchemaView.Group, _ new: SchemaView.Group) {
        var pairs: [(old: Int, new: Int)] = []
        var removed = Array(old.alternatives.indices)
        var added = Array(new.alternatives.indices)
        func match(_ isMatch: (SchemaPlace, SchemaPlace) -> Bool) {
            var rest: [Int] = []
            for number in added {
                if let index = removed.firstIndex(where: { isMatch(old.alternatives[$0], new.alternatives[number]) }) {
                    pairs.append((removed.remove(at: index), number))
                } else {
                    rest.append(number)
                }
            }
            added = rest
        }
        match(isSame)
        // Renamed, or changed inside.
        if removed.count * added.count <= Self.mostMatches {
            match { !SchemaView([$0], in: oldRevision).isApart(from: SchemaView([$1], in: newRevision)) }
        }
        if added.count == removed.count {
            pairs += zip(removed, added).map { ($0, $1) }
            (removed, added) = ([], [])
        }
        for pair in pairs { compareInner([old.alternatives[pair.old]], [new.alternatives[pair.new]]) }
        compareUnmatched(old, removed, new, added)
        compareOverlap(old, new, pairs)
    }

    /// Names alternatives that are new or gone.
    private mutating func compareUnmatched(
        _ old: SchemaView.Group,
        _ removed: [Int],
        _ new: SchemaView.Group,
        _ added: [Int]
    ) {
        // One that lies in another alternative changes nothing, unless two matches are refused.
        let added = added.map { new.alternatives[$0] }.filter { place in
            old.isExclusive || !old.alternatives.contains { narrows($0, place) }
        }
        let removed = removed.map { old.alternatives[$0] }.filter { place in
            new.isExclusive || !new.alternatives.contains { widens(place, $0) }
        }
        guard added.allSatisfy(newRevision.isNamed), removed.allSatisfy(oldRevision.isNamed) else {
            return tellAlternatives()
        }
        for place in added {
            let sentence = "\(subject) may be \(newRevision.name(of: place))"
            tell("alternative", sentence, .widens, newRevision.position(of: place))
        }
        for place in removed {
            let sentence = "\(subject) may no longer be \(oldRevision.name(of: place))"
            tell("alternative", sentence, .narrows, old: oldRevision.position(of: place))
        }
    }

    /// Compares whether a value can match several alternatives, which `oneOf` refuses.
    ///
    /// An alternative of the reader that accepts more than that of the sender may match values of the sender's others.
    private mutating func compareOverlap(
        _ old: SchemaView.Group,
        _ new: SchemaView.Group,
        _ pairs: [(old: Int, new: Int)]
    ) {
        let (reader, sender) = isReaderNew ? (new, old) : (old, new)
        guard reader.isExclusive else {
            if sender.isExclusive, !areApart(sender, isNew: !isReaderNew) {
                let text = isReaderNew ? "may match several alternatives" : "matches exactly one alternative"
                tell("alternative", "\(subject) \(text)", isReaderNew ? .widens : .narrows, at: new.keyword)
            }
            return
        }
        let isOverlapping = mayOverlap(reader) { number in
            guard sender.isExclusive, let pair = pairs.first(where: { (isReaderNew ? $0.new : $0.old) == number })
            else { return true }
            let (one, other) = (old.alternatives[pair.old], new.alternatives[pair.new])
            return isReaderNew ? !narrows(one, other) : !widens(one, other)
        }
        if isOverlapping { tellOverlap(reader) }
    }

    /// Returns whether values of the sender may match several of the reader's alternatives: unless those that have grown
    /// are proved to be apart from all others.
    ///
    /// Among very many alternatives, none is proved to be.
    private func mayOverlap(_ reader: SchemaView.Group, hasGrown: (Int) -> Bool) -> Bool {
        // By its discriminator a value belongs to one alternative.
        guard (isReaderNew ? after : before).discriminator == nil, reader.isExclusive else { return false }
        let views = self.views(of: reader, isNew: isReaderNew)
        guard views.count * views.count <= Self.mostMatches else { return views.indices.contains(where: hasGrown) }
        return views.indices.contains { number in
            views.indices.contains { $0 != number && !views[$0].isApart(from: views[number]) } && hasGrown(number)
        }
    }

    private mutating func tellOverlap(_ reader: SchemaView.Group) {
        tellUncertain("\(subject): a value that matches several alternatives is refused", nil, at: reader.keyword)
    }

    private func views(of group: SchemaView.Group, isNew: Bool) -> [SchemaView] {
        let (revision, places) = isNew ? (newRevision, newPlaces) : (oldRevision, oldPlaces)
        return revision.alternatives(of: places, group).map { SchemaView($0, in: revision) }
    }

    private func areApart(_ group: SchemaView.Group, isNew: Bool) -> Bool {
        let views = self.views(of: group, isNew: isNew)
        return views.indices.allSatisfy { number in
            views[..<number].allSatisfy { $0.isApart(from: views[number]) }
        }
    }

    /// Names a change of alternatives, with a verdict if one can be proved.
    ///
    /// Each alternative of the sender must be one of the receiver's.
    private mutating func tellAlternatives() {
        let old = oldRevision.alternatives(of: oldPlaces, before.groups.first)
        let new = newRevision.alternatives(of: newPlaces, after.groups.first)
        let isSingle = before.groups.count <= 1 && after.groups.count <= 1
        let areApart =
            isSingle
            && (before.groups.first.map { !$0.isExclusive || self.areApart($0, isNew: false) } ?? true)
            && (after.groups.first.map { !$0.isExclusive || self.areApart($0, isNew: true) } ?? true)
        var isWider: Bool { old.allSatisfy { one in new.contains { proves(one, $0, .request) } } }
        var isNarrower: Bool { new.allSatisfy { other in old.contains { proves($0, other, .response) } } }
        if areApart, direction != .unclear {
            // The same values are accepted.
            let isSame =
                old.allSatisfy { one in
                    new.contains {
                        SchemaComparison.isSafe($0, in: newRevision, one, in: oldRevision, .subset, depth: depth)
                    }
                } && new.allSatisfy { other in old.contains { proves($0, other, .subset) } }
            if isSame { return }
        }
        let isReaderExclusive = (isReaderNew ? after : before).groups.first?.isExclusive ?? false
        let shift: ValueShift? =
            !isSingle || direction == .unclear || isReaderExclusive && !areApart
            ? nil : isReaderNew ? isWider ? .widens : nil : isNarrower ? .narrows : nil
        let keyword = (after.groups.first ?? before.groups.first)?.keyword
        tellUncertain("\(subject): the alternatives have changed", shift, at: keyword)
    }

    /// Returns whether a change of one alternative is proved to be safe.
    private func proves(_ old: [SchemaPlace], _ new: [SchemaPlace], _ direction: TravelDirection) -> Bool {
        let direction = self.direction == .subset ? .subset : direction
        return SchemaComparison.isSafe(old, in: oldRevision, new, in: newRevision, direction, depth: depth)
    }

    /// Compares a schema without alternatives with one that has them: what is sent must be one of what is read.
    ///
    /// - Returns: whether it was that, so that nothing else is left to compare here.
    mutating func compareOneWithSeveral() -> Bool {
        guard before.groups.isEmpty != after.groups.isEmpty, direction != .unclear else { return false }
        let isReadByOne = isReaderNew ? after.groups.isEmpty : before.groups.isEmpty
        guard isReadByOne, before.groups.count + after.groups.count == 1 else {
            tellAlternatives()
            return true
        }
        let old = oldRevision.alternatives(of: oldPlaces, before.groups.first)
        let new = newRevision.alternatives(of: newPlaces, after.groups.first)
        if old.allSatisfy({ one in new.allSatisfy { isSafe(one, $0) } }) {
            tellAlternatives()
            return true
        }
        for one in old {
            for other in new {
                // A kind that is new or gone has been reported.
                let kinds = SchemaView(one, in: oldRevision).kinds.intersection(
                    SchemaView(other, in: newRevision).kinds
                )
                if kinds.isEmpty || kinds == .null { continue }
                compareInner(one, other)
            }
        }
        return true
    }

    /// Recognises one schema that has become an alternative next to others, or the other way round.
    ///
    /// - Returns: whether it was that, so that nothing else is left to compare here.
    mutating func compareChoice() -> Bool {
        guard let old = oldPlaces.first, let new = newPlaces.first, oldPlaces.count == 1, newPlaces.count == 1 else {
            return false
        }
        switch (before.groups.count, after.groups.count) {
        case (0, 1):
            let meant = oldRevision.meant(by: old)
            let alternatives = after.groups[0].alternatives
            let pointer = oldRevision.pointer(to: meant)
            let number = alternatives.firstIndex { newRevision.pointer(to: newRevision.meant(by: $0)) == pointer }
            guard let number else { return false }
            tell("alternative", "\(subject) may be one of \(alternatives.count) alternatives", .widens)
            compareInner([meant], [alternatives[number]])
            if isReaderNew, mayOverlap(after.groups[0], hasGrown: { $0 == number }) { tellOverlap(after.groups[0]) }
        case (1, 0):
            let meant = newRevision.meant(by: new)
            let alternatives = before.groups[0].alternatives
            let pointer = newRevision.pointer(to: meant)
            let number = alternatives.firstIndex { oldRevision.pointer(to: oldRevision.meant(by: $0)) == pointer }
            guard let number else { return false }
            tell("alternative", "\(subject) is no longer one of several alternatives", .narrows)
            compareInner([alternatives[number]], [meant])
            if !isReaderNew, mayOverlap(before.groups[0], hasGrown: { $0 == number }) { tellOverlap(before.groups[0]) }
        default: return false
        }
        return true
    }

    /// Returns whether two revisions mean the same alternative: the same reference, title, or schema.
    private func isSame(_ old: SchemaPlace, _ new: SchemaPlace) -> Bool {
        let (one, other) = (oldRevision.facts(of: old).annotations, newRevision.facts(of: new).annotations)
        if let reference = one.reference { return reference == other.reference }
        if let title = one.title { return title == other.title }
        return oldRevision.source(of: old) == newRevision.source(of: new)
    }
}

/// The discriminator of alternatives.
extension PairVisit {
    mutating func compareDiscriminators() {
        guard direction != .subset, before.discriminator != after.discriminator else { return }
        guard let old = before.discriminator, let new = after.discriminator else {
            let text = before.discriminator == nil ? "new" : "gone"
            return tell("discriminator", "\(subject): the discriminator is \(text)", .unknown, at: "discriminator")
        }
        guard old.property == new.property else {
            let text = "is \"\(new.property)\"; it was \"\(old.property)\""
            return tell("discriminator", "\(subject): the discriminator \(text)", .both, at: "discriminator")
        }
        for name in Set(old.mapping.keys).union(new.mapping.keys).sorted() where old.mapping[name] != new.mapping[name]
        {
            let (shift, text): (ValueShift, String) =
                new.mapping[name] == nil
                ? (.narrows, "was removed") : old.mapping[name] == nil ? (.widens, "is new") : (.both, "has changed")
            let sentence = "\(subject): the discriminator's name \"\(name)\" \(text)"
            tell("discriminator", sentence, shift, at: "discriminator")
        }
    }
}
