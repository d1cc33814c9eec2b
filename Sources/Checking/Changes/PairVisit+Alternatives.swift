import JSON
import JSONSchema

/// The alternatives of `anyOf` and `oneOf`.
extension PairVisit {
    /// More pairs of alternatives than these are not compared with each other.
    private static let mostMatches = 2_500

    /// A comparison of two alternatives counts as this many values that a search for counterexamples tries.
    private static let triesOfComparison = 5

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
        func match(_ index: (Int) -> Int?) {
            var rest: [Int] = []
            for number in added {
                if let index = index(number) { pairs.append((index, number)) } else { rest.append(number) }
            }
            added = rest
            let matched = Set(pairs.map(\.old))
            removed.removeAll(where: matched.contains)
        }
        var marked = Dictionary(grouping: removed.reversed()) { oldRevision.mark(of: old.alternatives[$0]) }
        match { marked[newRevision.mark(of: new.alternatives[$0])]?.popLast() }
        // Renamed, or changed inside.
        if !areMany(removed.count, added.count) {
            var waiting = removed
            match { number in
                waiting.firstIndex {
                    !oldRevision.isApart([old.alternatives[$0]], from: [new.alternatives[number]], in: newRevision)
                }.map { waiting.remove(at: $0) }
            }
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
        if revision.isApart(value, from: value, in: revision) { return .safe }
        guard spendTries(reader.count + rivals.count) else { return .undecided }
        let readingRevision = isReaderNew ? newRevision : oldRevision
        let others = reader.indices.filter { !revision.isApart(value, from: reader[$0], in: readingRevision) }
        let nearRivals = rivals.filter { !revision.isApart(value, from: $0, in: revision) }
        guard spendTries((others.count + nearRivals.count) * Self.triesOfComparison) else { return .undecided }
        let isNeverSent = nearRivals.contains {
            SchemaComparison.isSafe($0, in: revision, value, in: revision, .subset, depth: depth)
        }
        let isRead = others.contains { isReaderNew ? isSafe(value, reader[$0]) : isSafe(reader[$0], value) }
        if isNeverSent || isRead { return .safe }
        let isDecidedHere = [before, after].allSatisfy {
            $0.groups.count < 2 && $0.conditions.isEmpty && $0.choices.isEmpty && $0.dependentSchemas.all.isEmpty
        }
        let isCertain = isDecidedHere && nearRivals.isEmpty && others.allSatisfy { $0 == read }
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
        let (addsAll, removesAll) = (
            old.isExclusive || areMany(added.count, old.alternatives.count),
            new.isExclusive || areMany(removed.count, new.alternatives.count)
        )
        let added = added.filter { number in
            addsAll || !old.alternatives.contains { narrows($0, new.alternatives[number]) }
        }
        let removed = removed.filter { number in
            removesAll || !new.alternatives.contains { widens(old.alternatives[number], $0) }
        }
        let areNamed =
            added.allSatisfy { newRevision.isNamed(new.alternatives[$0]) }
            && removed.allSatisfy { oldRevision.isNamed(old.alternatives[$0]) }
        // Those without a name may be parts of others.
        guard areNamed || !tellProvenAlternatives() else { return }
        let effects = (
            added: added.map { effect(of: (nil, $0), in: sets) },
            removed: removed.map { effect(of: ($0, nil), in: sets) }
        )
        let all = effects.added + effects.removed
        guard areNamed || all.contains(.breaks) || !all.contains(.undecided) else { return tellAlternatives() }
        for (number, effect) in zip(added, effects.added) {
            let place = new.alternatives[number]
            let sentence = "\(subject) may be \(newRevision.distinctName(of: place) ?? "another alternative")"
            tell("alternative", sentence, shift(.widens, of: [effect]), newRevision.position(of: place))
        }
        for (number, effect) in zip(removed, effects.removed) {
            let place = old.alternatives[number]
            let sentence =
                "\(subject) may no longer be \(oldRevision.distinctName(of: place) ?? "one of the alternatives")"
            tell("alternative", sentence, shift(.narrows, of: [effect]), old: oldRevision.position(of: place))
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
            // No client breaks in either case.
            if sender.isExclusive, !areApart(sender, isNew: !isReaderNew) {
                let text = isReaderNew ? "may match several alternatives" : "matches exactly one alternative"
                tell("alternative", "\(subject) \(text)", isReaderNew ? .widens : .narrows, at: new.keyword)
            }
            return
        }
        let pairOfReader = Dictionary(
            pairs.map { (isReaderNew ? $0.new : $0.old, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let overlap = overlap(in: reader) { number in
            guard sender.isExclusive, let pair = pairOfReader[number] else { return true }
            let (one, other) = (old.alternatives[pair.old], new.alternatives[pair.new])
            return isReaderNew ? !narrows(one, other) : !widens(one, other)
        }
        if let overlap { tell(overlap, of: reader) }
    }

    /// Two of the reader's alternatives that values of the sender may match, of which the first has grown; `nil` if those
    /// that have grown are proved to be apart from all others.
    ///
    /// If very many have grown, none is proved to be.
    private func overlap(in reader: SchemaView.Group, hasGrown: (Int) -> Bool) -> (grown: Int, other: Int)? {
        // By its discriminator a value belongs to one alternative.
        guard (isReaderNew ? after : before).discriminator == nil, reader.isExclusive else { return nil }
        let (revision, places) = isReaderNew ? (newRevision, newPlaces) : (oldRevision, oldPlaces)
        let alternatives = revision.alternatives(of: places, reader)
        if revision.areTagged(alternatives) { return nil }
        let grown = alternatives.indices.filter(hasGrown)
        let areMany = areMany(grown.count, alternatives.count)
        for number in grown {
            let other = alternatives.indices.first {
                $0 != number
                    && (areMany || !revision.isApart(alternatives[number], from: alternatives[$0], in: revision))
            }
            if let other { return (number, other) }
        }
        return nil
    }

    private mutating func tell(_ overlap: (grown: Int, other: Int), of reader: SchemaView.Group) {
        let samples = [overlap.grown, overlap.other].compactMap { sample(of: reader.alternatives[$0]) }
        if samples.count == 2, var object = samples[0].object, let other = samples[1].object {
            for member in other.members where object[member.name] == nil { object.set(member) }
            candidates.append(JSONValue(.object(object)))
        }
        candidates += samples
        tellUncertain("\(subject): a value that matches several alternatives is refused", nil, at: reader.keyword)
    }

    /// A value of an alternative of the reader.
    private func sample(of place: SchemaPlace) -> JSONValue? {
        Counterexample.sample(of: place, in: reader.revision, direction == .request ? .request : .response)
    }

    /// Returns whether no value matches two alternatives of a group.
    private func areApart(_ group: SchemaView.Group, isNew: Bool) -> Bool {
        let (revision, places) = isNew ? (newRevision, newPlaces) : (oldRevision, oldPlaces)
        let alternatives = revision.alternatives(of: places, group)
        return revision.areTagged(alternatives)
            || !areMany(alternatives.count, alternatives.count)
                && alternatives.indices.allSatisfy { number in
                    (0..<number).allSatisfy {
                        revision.isApart(alternatives[$0], from: alternatives[number], in: revision)
                    }
                }
    }

    /// Names a change of alternatives, with a verdict if one can be proved.
    private mutating func tellAlternatives() {
        guard !tellProvenAlternatives() else { return }
        let keyword = (after.groups.first ?? before.groups.first)?.keyword
        tellUncertain("\(subject): the alternatives have changed", nil, at: keyword)
    }

    /// Names a change of alternatives if it is proved to be safe or to change nothing: each alternative of the sender is
    /// one of the receiver's.
    ///
    /// - Returns: whether it is.
    private mutating func tellProvenAlternatives() -> Bool {
        let old = oldRevision.alternatives(of: oldPlaces, before.groups.first)
        let new = newRevision.alternatives(of: newPlaces, after.groups.first)
        guard !areMany(old.count, new.count) else { return false }
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
            if isSame { return true }
        }
        let isReaderExclusive = (isReaderNew ? after : before).groups.first?.isExclusive ?? false
        let shift: ValueShift? =
            !isSingle || direction == .unclear || isReaderExclusive && !areApart
            ? nil : isReaderNew ? isWider ? .widens : nil : isNarrower ? .narrows : nil
        guard let shift, shift.effect(direction) == .safe else { return false }
        let keyword = (after.groups.first ?? before.groups.first)?.keyword
        tell("condition", "\(subject): the alternatives have changed", shift, at: keyword)
        return true
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
                let kinds = oldRevision.view(of: one).kinds.intersection(
                    newRevision.view(of: other).kinds
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
        if isReaderNew == isNew, let overlap = overlap(in: group, hasGrown: { $0 == number }) {
            tell(overlap, of: group)
        }
        return true
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
