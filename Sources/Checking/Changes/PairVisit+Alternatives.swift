import JSON
import JSONSchema

/// The alternatives of `anyOf` and `oneOf`.
extension PairVisit {
    /// More pairs of alternatives than these are not compared with each other.
    private static let mostMatches = 2_500

    private func areMany(_ count: Int, _ other: Int) -> Bool { count * other > Self.mostMatches }

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
        if !areMany(removed.count, added.count) {
            match { !oldRevision.isApart([$0], from: [$1], in: newRevision) }
        }
        if added.count == removed.count {
            pairs += zip(removed, added).map { ($0, $1) }
            (removed, added) = ([], [])
        }
        let sets = alternativeSets(old, new)
        for (one, other) in pairs {
            compare([old.alternatives[one]], [new.alternatives[other]], (one, other), of: sets)
        }
        compareUnmatched(old, removed, new, added, of: sets)
        compareOverlap(old, new, pairs)
    }

    private func alternativeSets(_ old: SchemaView.Group?, _ new: SchemaView.Group?) -> AlternativeSets {
        AlternativeSets(
            old: oldRevision.alternatives(of: oldPlaces, old),
            new: newRevision.alternatives(of: newPlaces, new),
            isOldExclusive: old?.isExclusive ?? false,
            isNewExclusive: new?.isExclusive ?? false,
            direction: direction
        )
    }

    /// Compares two alternatives.
    private mutating func compare(
        _ old: [SchemaPlace],
        _ new: [SchemaPlace],
        _ pair: (old: Int?, new: Int?),
        of sets: AlternativeSets
    ) {
        if isSafe(old, new) { return compareInner(old, new) }
        switch effect(of: pair, in: sets) {
        case .safe:
            let sentence = "\(subject): the alternatives have changed"
            if changes.last?.sentence != sentence { tell("alternative", sentence, safeShift) }
        case .breaks: compareInner(old, new)
        case .depends, .undecided: compareInner(old, new, .unclear)
        }
    }

    /// The shift of changes that break no client.
    private var safeShift: ValueShift { isReaderNew ? .widens : .narrows }

    /// The effect of a difference between two alternatives, of which the sender's may accept values that the reader's
    /// refuses.
    ///
    /// Such a value must be sent, and no other alternative of the reader may accept it.
    ///
    /// - Parameter pair: the numbers of the alternatives; `nil` where one side has none.
    private mutating func effect(of pair: (old: Int?, new: Int?), in sets: AlternativeSets) -> ChangeEffect {
        let (sent, read) = isReaderNew ? (pair.old, pair.new) : (pair.new, pair.old)
        guard let sent else { return .safe }
        // By its discriminator a value belongs to one alternative.
        guard depth == 0, direction != .unclear, before.discriminator ?? after.discriminator == nil else {
            return .breaks
        }
        let key = AlternativeSets.Pair(sets: sets, old: pair.old, new: pair.new)
        if let known = oldRevision.proofs.effects[key] { return known }
        let effect = effect(ofSent: sent, read: read, in: sets)
        oldRevision.proofs.effects[key] = effect
        return effect
    }

    private mutating func effect(ofSent sent: Int, read: Int?, in sets: AlternativeSets) -> ChangeEffect {
        let (sender, reader) = isReaderNew ? (sets.old, sets.new) : (sets.new, sets.old)
        let revision = isReaderNew ? oldRevision : newRevision
        let value = sender[sent]
        let isExclusive = isReaderNew ? sets.isOldExclusive : sets.isNewExclusive
        let rivals = isExclusive ? sender.indices.filter { $0 != sent }.map { sender[$0] } : []
        // A schema without values is apart from itself.
        let isEmpty = revision.isApart(value, from: value, in: revision)
        let isNeverSent = rivals.contains {
            SchemaComparison.isSafe($0, in: revision, value, in: revision, .subset, depth: depth)
        }
        if isEmpty || isNeverSent || reader.contains(where: { isReaderNew ? isSafe(value, $0) : isSafe($0, value) }) {
            return .safe
        }
        let isDecidedHere = [before, after].allSatisfy {
            $0.groups.count < 2 && $0.conditions.isEmpty && $0.choices.isEmpty && $0.dependentSchemas.all.isEmpty
        }
        let others = reader.indices.filter { $0 != read }.map { reader[$0] }
        let isCertain =
            isDecidedHere && rivals.allSatisfy { revision.isApart(value, from: $0, in: revision) }
            && others.allSatisfy { revision.isApart(value, from: $0, in: isReaderNew ? newRevision : oldRevision) }
        return isCertain || counterexample(of: value.last) != nil ? .breaks : .undecided
    }

    /// Names alternatives that are new or gone.
    private mutating func compareUnmatched(
        _ old: SchemaView.Group,
        _ removed: [Int],
        _ new: SchemaView.Group,
        _ added: [Int],
        of sets: AlternativeSets
    ) {
        // One that lies in another alternative changes nothing, unless two matches are refused.
        let added = added.filter { number in
            old.isExclusive || !old.alternatives.contains { narrows($0, new.alternatives[number]) }
        }
        let removed = removed.filter { number in
            new.isExclusive || !new.alternatives.contains { widens(old.alternatives[number], $0) }
        }
        let areNamed =
            added.allSatisfy { newRevision.isNamed(new.alternatives[$0]) }
            && removed.allSatisfy { oldRevision.isNamed(old.alternatives[$0]) }
        guard areNamed || areMany(old.alternatives.count, new.alternatives.count) else { return tellAlternatives() }
        for number in added {
            let place = new.alternatives[number]
            let name = newRevision.isNamed(place) ? newRevision.name(of: place) : "another alternative"
            let sentence = "\(subject) may be \(name)"
            let shift = shift(.widens, of: [effect(of: (nil, number), in: sets)])
            tell("alternative", sentence, shift, newRevision.position(of: place))
        }
        for number in removed {
            let place = old.alternatives[number]
            let name = oldRevision.isNamed(place) ? oldRevision.name(of: place) : "one of the alternatives"
            let sentence = "\(subject) may no longer be \(name)"
            let shift = shift(.narrows, of: [effect(of: (number, nil), in: sets)])
            tell("alternative", sentence, shift, old: oldRevision.position(of: place))
        }
    }

    /// The shift of a change with these effects.
    private func shift(_ shift: ValueShift, of effects: [ChangeEffect]) -> ValueShift {
        effects.contains(.breaks) ? shift : effects.contains(.undecided) ? .unknown : safeShift
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
            let count = sender.alternatives.count
            // Among very many alternatives, none is proved to be apart; no client breaks in either case.
            if sender.isExclusive, areMany(count, count) || !areApart(sender, isNew: !isReaderNew) {
                let text = isReaderNew ? "may match several alternatives" : "matches exactly one alternative"
                tell("alternative", "\(subject) \(text)", isReaderNew ? .widens : .narrows, at: new.keyword)
            }
            return
        }
        let pairOfReader = Dictionary(
            pairs.map { (isReaderNew ? $0.new : $0.old, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let isOverlapping = mayOverlap(reader) { number in
            guard sender.isExclusive, let pair = pairOfReader[number] else { return true }
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
        let numbers = reader.alternatives.indices
        guard !areMany(numbers.count, numbers.count) else { return numbers.contains(where: hasGrown) }
        let isApart = apartness(of: reader, isNew: isReaderNew)
        return numbers.contains { number in
            numbers.contains { $0 != number && !isApart(number, $0) } && hasGrown(number)
        }
    }

    private mutating func tellOverlap(_ reader: SchemaView.Group) {
        tellUncertain("\(subject): a value that matches several alternatives is refused", nil, at: reader.keyword)
    }

    /// Returns whether no value matches two alternatives of a group, by their numbers.
    private func apartness(of group: SchemaView.Group, isNew: Bool) -> (Int, Int) -> Bool {
        let (revision, places) = isNew ? (newRevision, newPlaces) : (oldRevision, oldPlaces)
        let alternatives = revision.alternatives(of: places, group)
        return { revision.isApart(alternatives[min($0, $1)], from: alternatives[max($0, $1)], in: revision) }
    }

    private func areApart(_ group: SchemaView.Group, isNew: Bool) -> Bool {
        let isApart = apartness(of: group, isNew: isNew)
        return group.alternatives.indices.allSatisfy { number in (0..<number).allSatisfy { isApart($0, number) } }
    }

    /// Names a change of alternatives, with a verdict if one can be proved.
    ///
    /// Each alternative of the sender must be one of the receiver's.
    private mutating func tellAlternatives() {
        let old = oldRevision.alternatives(of: oldPlaces, before.groups.first)
        let new = newRevision.alternatives(of: newPlaces, after.groups.first)
        let keyword = (after.groups.first ?? before.groups.first)?.keyword
        let sentence = "\(subject): the alternatives have changed"
        guard !areMany(old.count, new.count) else { return tellUncertain(sentence, nil, at: keyword) }
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
        tellUncertain(sentence, shift, at: keyword)
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
        // An `if` is a group of alternatives, too.
        guard isReadByOne, before.groups.count + after.groups.count == 1, before.choices.isEmpty, after.choices.isEmpty
        else {
            tellAlternatives()
            return true
        }
        let sets = alternativeSets(before.groups.first, after.groups.first)
        // The effect of each pair depends on all alternatives.
        let count = max(sets.old.count, sets.new.count)
        if areMany(count, count) || sets.old.allSatisfy({ one in sets.new.allSatisfy { isSafe(one, $0) } }) {
            tellAlternatives()
            return true
        }
        for (oldNumber, one) in sets.old.enumerated() {
            for (newNumber, other) in sets.new.enumerated() {
                // A kind that is new or gone has been reported.
                let kinds = SchemaView(one, in: oldRevision).kinds.intersection(
                    SchemaView(other, in: newRevision).kinds
                )
                if kinds.isEmpty || kinds == .null { continue }
                compare(one, other, (oldNumber, newNumber), of: sets)
            }
        }
        return true
    }

    /// Recognises one schema that has become an alternative next to others, or the other way round.
    ///
    /// - Returns: whether it was that, so that nothing else is left to compare here.
    mutating func compareChoice() -> Bool {
        guard oldPlaces.count == 1, newPlaces.count == 1, before.groups.count + after.groups.count == 1 else {
            return false
        }
        let isNew = before.groups.isEmpty
        let group = (before.groups + after.groups)[0]
        let (one, several) = isNew ? (oldRevision, newRevision) : (newRevision, oldRevision)
        // Keywords next to the alternatives restrict them.
        guard several.facts(of: (isNew ? newPlaces : oldPlaces)[0]).isDiscriminatedChoiceAlone else { return false }
        let meant = one.meant(by: (isNew ? oldPlaces : newPlaces)[0])
        let pointer = one.pointer(to: meant)
        let same = group.alternatives.firstIndex { several.pointer(to: several.meant(by: $0)) == pointer }
        guard let number = same else { return false }
        let alternative = group.alternatives[number]
        let sets = alternativeSets(before.groups.first, after.groups.first)
        let others = group.alternatives.indices.filter { $0 != number }
            .map { effect(of: isNew ? (nil, $0) : ($0, nil), in: sets) }
        if isNew {
            let sentence = "\(subject) may be one of \(group.alternatives.count) alternatives"
            tell("alternative", sentence, shift(.widens, of: others))
            compare([meant], [alternative], (0, number), of: sets)
        } else {
            let sentence = "\(subject) is no longer one of several alternatives"
            tell("alternative", sentence, shift(.narrows, of: others))
            compare([alternative], [meant], (number, 0), of: sets)
        }
        if isReaderNew == isNew, mayOverlap(group, hasGrown: { $0 == number }) { tellOverlap(group) }
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
