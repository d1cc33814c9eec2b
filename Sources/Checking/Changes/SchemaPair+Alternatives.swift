import JSON
import JSONSchema

/// The proofs about the alternatives of `anyOf` and `oneOf` on both sides.
extension SchemaPair {
    /// More pairs of alternatives than these are not compared with each other.
    private static let mostMatches = 2_500

    /// A comparison of two alternatives counts as this many values that a search for counterexamples tries.
    private static let triesOfComparison = 5

    func areMany(_ count: Int, _ other: Int) -> Bool { count * other > Self.mostMatches }

    func alternativeSets(_ old: SchemaView.Group?, _ new: SchemaView.Group?) -> AlternativeSets {
        AlternativeSets(
            old: oldRevision.alternatives(of: oldPlaces, old),
            new: newRevision.alternatives(of: newPlaces, new),
            isOldExclusive: old?.isExclusive ?? false,
            isNewExclusive: new?.isExclusive ?? false,
            direction: direction
        )
    }

    /// The alternatives of two groups, by their numbers: which of them belong together, and the others.
    struct Matches {
        var pairs: [(old: Int, new: Int)] = []
        var removed: [Int]
        var added: [Int]
    }

    /// Finds the alternatives that are the same, or that have changed a little.
    func matches(_ old: SchemaView.Group, _ new: SchemaView.Group) -> Matches {
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
        return Matches(pairs: pairs, removed: removed, added: added)
    }

    /// The effect of a difference between two alternatives, of which the sender's may accept values that the reader's
    /// refuses.
    ///
    /// Such a value must be sent, and no other alternative of the reader may accept it.
    ///
    /// - Parameter numbers: the numbers of the alternatives; `nil` where one side has none.
    func effect(
        of numbers: (old: Int?, new: Int?),
        in sets: AlternativeSets,
        _ search: inout CounterexampleSearch
    ) -> ChangeEffect {
        let (sent, read) = isReaderNew ? (numbers.old, numbers.new) : (numbers.new, numbers.old)
        guard let sent else { return .safe }
        // By its discriminator a value belongs to one alternative.
        guard depth == 0, direction != .unclear, before.discriminator ?? after.discriminator == nil
        else {
            return .breaks
        }
        let key = AlternativeSets.Pair(sets: sets, old: numbers.old, new: numbers.new)
        if let known = oldRevision.proofs.effects[key] { return known }
        let effect = effect(ofSent: sent, read: read, in: sets, &search)
        oldRevision.proofs.effects[key] = effect
        return effect
    }

    private func effect(
        ofSent sent: Int,
        read: Int?,
        in sets: AlternativeSets,
        _ search: inout CounterexampleSearch
    ) -> ChangeEffect {
        let (sending, reading) = isReaderNew ? (sets.old, sets.new) : (sets.new, sets.old)
        let revision = isReaderNew ? oldRevision : newRevision
        let value = sending[sent]
        let isExclusive = isReaderNew ? sets.isOldExclusive : sets.isNewExclusive
        let rivals = isExclusive ? sending.indices.filter { $0 != sent }.map { sending[$0] } : []
        // A schema without values is apart from itself.
        if revision.isApart(value, from: value, in: revision) { return .safe }
        guard search.spend(reading.count + rivals.count) else { return .undecided }
        let readingRevision = isReaderNew ? newRevision : oldRevision
        let others = reading.indices.filter { !revision.isApart(value, from: reading[$0], in: readingRevision) }
        let nearRivals = rivals.filter { !revision.isApart(value, from: $0, in: revision) }
        guard search.spend((others.count + nearRivals.count) * Self.triesOfComparison) else { return .undecided }
        let isNeverSent = nearRivals.contains {
            SchemaComparison.isSafe($0, in: revision, value, in: revision, .subset, depth: depth)
        }
        let isRead = others.contains {
            isReaderNew ? isSafe(value, reading[$0]) : isSafe(reading[$0], value)
        }
        if isNeverSent || isRead { return .safe }
        let isDecidedHere = [before, after].allSatisfy {
            $0.groups.count < 2 && $0.conditions.isEmpty && $0.choices.isEmpty && $0.dependentSchemas.all.isEmpty
        }
        let isCertain = isDecidedHere && nearRivals.isEmpty && others.allSatisfy { $0 == read }
        return isCertain || search.counterexample(for: self, sampling: value.last) != nil ? .breaks : .undecided
    }

    /// The shift of a change with these effects.
    func shift(_ shift: ValueShift, of effects: [ChangeEffect]) -> ValueShift {
        effects.contains(.breaks) ? shift : effects.contains(.undecided) ? .unknown : safeShift
    }

    /// Two of the reader's alternatives that values of the sender may match, of which the first has grown; `nil` if those
    /// that have grown are proved to be apart from all others.
    ///
    /// If very many have grown, none is proved to be.
    func overlap(in reader: SchemaView.Group, hasGrown: (Int) -> Bool) -> (grown: Int, other: Int)? {
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

    /// A value of an alternative of the reader.
    func sample(of place: SchemaPlace) -> JSONValue? {
        Counterexample.sample(of: place, in: reader.revision, direction == .request ? .request : .response)
    }

    /// Returns whether no value matches two alternatives of a group.
    func areApart(_ group: SchemaView.Group, isNew: Bool) -> Bool {
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

    /// The result of a proof about a change of all alternatives.
    enum AlternativesProof {
        /// The same values are accepted.
        case equal
        case safe(ValueShift)
        case undecided
    }

    /// Proves that a change is safe or changes nothing: each alternative of the sender is one of the receiver's.
    func proofOfAlternatives() -> AlternativesProof {
        let old = oldRevision.alternatives(of: oldPlaces, before.groups.first)
        let new = newRevision.alternatives(of: newPlaces, after.groups.first)
        guard !areMany(old.count, new.count) else { return .undecided }
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
            if isSame { return .equal }
        }
        let isReaderExclusive = (isReaderNew ? after : before).groups.first?.isExclusive ?? false
        let shift: ValueShift? =
            !isSingle || direction == .unclear || isReaderExclusive && !areApart
            ? nil : isReaderNew ? isWider ? .widens : nil : isNarrower ? .narrows : nil
        guard let shift, shift.effect(direction) == .safe else { return .undecided }
        return .safe(shift)
    }

    /// Returns whether a change of one alternative is proved to be safe.
    private func proves(_ old: [SchemaPlace], _ new: [SchemaPlace], _ direction: TravelDirection) -> Bool {
        let direction = self.direction == .subset ? .subset : direction
        return SchemaComparison.isSafe(old, in: oldRevision, new, in: newRevision, direction, depth: depth)
    }
}
