import JSON
import JSONSchema

/// The alternatives of `anyOf` and `oneOf`.
extension PairVisit {
    mutating func compareAlternatives() {
        guard pair.before.groups.count == pair.after.groups.count else { return tellAlternatives() }
        for (old, new) in zip(pair.before.groups, pair.after.groups) { compare(old, new) }
    }

    private mutating func compare(_ old: SchemaView.Group, _ new: SchemaView.Group) {
        let sets = pair.alternativeSets(old, new)
        let matches = pair.matches(old, new)
        for (one, other) in matches.pairs {
            compare([old.alternatives[one]], [new.alternatives[other]], (one, other), of: sets)
        }
        compareUnmatched(old, matches.removed, new, matches.added, of: sets)
        compareOverlap(old, new, matches.pairs)
    }

    /// Compares two alternatives.
    private mutating func compare(
        _ old: [SchemaPlace],
        _ new: [SchemaPlace],
        _ numbers: (old: Int?, new: Int?),
        of sets: AlternativeSets
    ) {
        if pair.isSafe(old, new) { return compareInner(old, new) }
        switch pair.effect(of: numbers, in: sets, &search) {
        case .safe:
            let sentence = "\(pair.subject): the alternatives have changed"
            if changes.last?.sentence != sentence { tell("alternative", sentence, pair.safeShift) }
        case .breaks: compareInner(old, new)
        case .depends, .undecided: compareInner(old, new, .unclear)
        }
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
            old.isExclusive || pair.areMany(added.count, old.alternatives.count),
            new.isExclusive || pair.areMany(removed.count, new.alternatives.count)
        )
        let added = added.filter { number in
            addsAll || !old.alternatives.contains { pair.narrows($0, new.alternatives[number]) }
        }
        let removed = removed.filter { number in
            removesAll || !new.alternatives.contains { pair.widens(old.alternatives[number], $0) }
        }
        let areNamed =
            added.allSatisfy { pair.newRevision.isNamed(new.alternatives[$0]) }
            && removed.allSatisfy { pair.oldRevision.isNamed(old.alternatives[$0]) }
        // Those without a name may be parts of others.
        guard areNamed || !tellProvenAlternatives() else { return }
        let effects = (
            added: added.map { pair.effect(of: (nil, $0), in: sets, &search) },
            removed: removed.map { pair.effect(of: ($0, nil), in: sets, &search) }
        )
        let all = effects.added + effects.removed
        guard areNamed || all.contains(.breaks) || !all.contains(.undecided) else { return tellAlternatives() }
        for (number, effect) in zip(added, effects.added) {
            let place = new.alternatives[number]
            let sentence = "\(pair.subject) may be \(pair.newRevision.distinctName(of: place) ?? "another alternative")"
            tell("alternative", sentence, pair.shift(.widens, of: [effect]), pair.newRevision.position(of: place))
        }
        for (number, effect) in zip(removed, effects.removed) {
            let place = old.alternatives[number]
            let sentence =
                "\(pair.subject) may no longer be \(pair.oldRevision.distinctName(of: place) ?? "one of the alternatives")"
            tell("alternative", sentence, pair.shift(.narrows, of: [effect]), old: pair.oldRevision.position(of: place))
        }
    }

    /// Compares whether a value can match several alternatives, which `oneOf` refuses.
    ///
    /// An alternative of the reader that accepts more than that of the sender may match values of the sender's others.
    private mutating func compareOverlap(
        _ old: SchemaView.Group,
        _ new: SchemaView.Group,
        _ matches: [(old: Int, new: Int)]
    ) {
        let (reading, sending) = pair.isReaderNew ? (new, old) : (old, new)
        guard reading.isExclusive else {
            // No client breaks in either case.
            if sending.isExclusive, !pair.areApart(sending, isNew: !pair.isReaderNew) {
                let text = pair.isReaderNew ? "may match several alternatives" : "matches exactly one alternative"
                tell("alternative", "\(pair.subject) \(text)", pair.isReaderNew ? .widens : .narrows, at: new.keyword)
            }
            return
        }
        let matchOfReader = Dictionary(
            matches.map { (pair.isReaderNew ? $0.new : $0.old, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let overlap = pair.overlap(in: reading) { number in
            guard sending.isExclusive, let match = matchOfReader[number] else { return true }
            let (one, other) = (old.alternatives[match.old], new.alternatives[match.new])
            return pair.isReaderNew ? !pair.narrows(one, other) : !pair.widens(one, other)
        }
        if let overlap { tell(overlap, of: reading) }
    }

    private mutating func tell(_ overlap: (grown: Int, other: Int), of group: SchemaView.Group) {
        let samples = [overlap.grown, overlap.other].compactMap { pair.sample(of: group.alternatives[$0]) }
        if samples.count == 2, var object = samples[0].object, let other = samples[1].object {
            for member in other.members where object[member.name] == nil { object.set(member) }
            search.candidates.append(JSONValue(.object(object)))
        }
        search.candidates += samples
        tellUncertain("\(pair.subject): a value that matches several alternatives is refused", nil, at: group.keyword)
    }

    /// Names a change of alternatives, with a verdict if one can be proved.
    private mutating func tellAlternatives() {
        guard !tellProvenAlternatives() else { return }
        tellUncertain("\(pair.subject): the alternatives have changed", nil, at: keywordOfAlternatives)
    }

    /// Names a change of alternatives if it is proved to be safe or to change nothing.
    ///
    /// - Returns: whether it is.
    private mutating func tellProvenAlternatives() -> Bool {
        switch pair.proofOfAlternatives() {
        case .equal: return true
        case .safe(let shift):
            tell("condition", "\(pair.subject): the alternatives have changed", shift, at: keywordOfAlternatives)
            return true
        case .undecided: return false
        }
    }

    private var keywordOfAlternatives: String? { (pair.after.groups.first ?? pair.before.groups.first)?.keyword }

    /// Compares a schema without alternatives with one that has them: what is sent must be one of what is read.
    ///
    /// - Returns: whether it was that, so that nothing else is left to compare here.
    mutating func compareOneWithSeveral() -> Bool {
        guard pair.before.groups.isEmpty != pair.after.groups.isEmpty, pair.direction != .unclear else { return false }
        let isReadByOne = pair.isReaderNew ? pair.after.groups.isEmpty : pair.before.groups.isEmpty
        // An `if` is a group of alternatives, too.
        guard isReadByOne, pair.before.groups.count + pair.after.groups.count == 1, pair.before.choices.isEmpty,
            pair.after.choices.isEmpty
        else {
            tellAlternatives()
            return true
        }
        let sets = pair.alternativeSets(pair.before.groups.first, pair.after.groups.first)
        // The effect of each pair depends on all alternatives.
        let count = max(sets.old.count, sets.new.count)
        if pair.areMany(count, count) || sets.old.allSatisfy({ one in sets.new.allSatisfy { pair.isSafe(one, $0) } }) {
            tellAlternatives()
            return true
        }
        for (oldNumber, one) in sets.old.enumerated() {
            for (newNumber, other) in sets.new.enumerated() {
                // A kind that is new or gone has been reported.
                let kinds = pair.oldRevision.view(of: one).kinds.intersection(
                    pair.newRevision.view(of: other).kinds
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
        guard pair.oldPlaces.count == 1, pair.newPlaces.count == 1,
            pair.before.groups.count + pair.after.groups.count == 1
        else {
            return false
        }
        let isNew = pair.before.groups.isEmpty
        let group = (pair.before.groups + pair.after.groups)[0]
        let (one, several) = isNew ? (pair.oldRevision, pair.newRevision) : (pair.newRevision, pair.oldRevision)
        // Keywords next to the alternatives restrict them.
        guard several.facts(of: (isNew ? pair.newPlaces : pair.oldPlaces)[0]).isDiscriminatedChoiceAlone else {
            return false
        }
        let meant = one.meant(by: (isNew ? pair.oldPlaces : pair.newPlaces)[0])
        let pointer = one.pointer(to: meant)
        let same = group.alternatives.firstIndex { several.pointer(to: several.meant(by: $0)) == pointer }
        guard let number = same else { return false }
        let alternative = group.alternatives[number]
        let sets = pair.alternativeSets(pair.before.groups.first, pair.after.groups.first)
        let others = group.alternatives.indices.filter { $0 != number }
            .map { pair.effect(of: isNew ? (nil, $0) : ($0, nil), in: sets, &search) }
        if isNew {
            let sentence = "\(pair.subject) may be one of \(group.alternatives.count) alternatives"
            tell("alternative", sentence, pair.shift(.widens, of: others))
            compare([meant], [alternative], (0, number), of: sets)
        } else {
            let sentence = "\(pair.subject) is no longer one of several alternatives"
            tell("alternative", sentence, pair.shift(.narrows, of: others))
            compare([alternative], [meant], (number, 0), of: sets)
        }
        if pair.isReaderNew == isNew, let overlap = pair.overlap(in: group, hasGrown: { $0 == number }) {
            tell(overlap, of: group)
        }
        return true
    }
}

/// The discriminator of alternatives.
extension PairVisit {
    mutating func compareDiscriminators() {
        guard pair.direction != .subset, pair.before.discriminator != pair.after.discriminator else { return }
        guard let old = pair.before.discriminator, let new = pair.after.discriminator else {
            let text = pair.before.discriminator == nil ? "new" : "gone"
            return tell("discriminator", "\(pair.subject): the discriminator is \(text)", .unknown, at: "discriminator")
        }
        guard old.property == new.property else {
            let text = "is \"\(new.property)\"; it was \"\(old.property)\""
            return tell("discriminator", "\(pair.subject): the discriminator \(text)", .both, at: "discriminator")
        }
        for name in Set(old.mapping.keys).union(new.mapping.keys).sorted() where old.mapping[name] != new.mapping[name]
        {
            let (shift, text): (ValueShift, String) =
                new.mapping[name] == nil
                ? (.narrows, "was removed") : old.mapping[name] == nil ? (.widens, "is new") : (.both, "has changed")
            let sentence = "\(pair.subject): the discriminator's name \"\(name)\" \(text)"
            tell("discriminator", sentence, shift, at: "discriminator")
        }
    }
}
