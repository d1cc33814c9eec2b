import JSON

extension VariantMaking {
    /// The most gaps that are combined with each other.
    private static let pairedGaps = 40

    /// Leaves out and puts null in several places together: all, and then so that every two come together once.
    mutating func combineGaps(of base: JSONValue, at whole: VariantPlace, seed: UInt64) {
        let absent = gaps.filter { $0.value == nil }
        let null = gaps.filter { $0.value != nil }
        offerMinimum(of: base, absent, at: whole)
        offerAll(absent, "everything optional is absent", of: base, at: whole)
        offerAll(null, "everything nullable is null", of: base, at: whole)
        // Null where it may be, and the rest left out.
        offerAll(null + absent, "nothing is there that need not be", of: base, at: whole)
        let factors = Self.factors(of: gaps.prefix(Self.pairedGaps))
        guard factors.count > 1 else { return }
        let rows = PairTable(levels: factors.map { $0.count + 1 }, seed: seed).rows
        for (number, row) in rows.enumerated() {
            let chosen = zip(factors, row).compactMap { factor, level in level == 0 ? nil : factor[level - 1] }
            offerAll(chosen, "gaps in pairs, row \(number + 1)", of: base, at: whole)
        }
    }

    /// The gaps of each place together: the ways in which it can be empty.
    private static func factors(of gaps: some Sequence<VariantGap>) -> [[VariantGap]] {
        var factors: [[VariantGap]] = []
        for gap in gaps {
            if let last = factors.indices.last, factors[last][0].place.pointer == gap.place.pointer {
                factors[last].append(gap)
            } else {
                factors.append([gap])
            }
        }
        return factors
    }

    private mutating func offerAll(_ gaps: [VariantGap], _ label: String, of base: JSONValue, at whole: VariantPlace) {
        guard gaps.count > 1, let value = changed(base, by: gaps) else { return }
        collection.offer(value, label, .legal, .pair, at: whole)
    }

    /// The smallest value that is left when one thing after another goes.
    private mutating func offerMinimum(of base: JSONValue, _ absent: [VariantGap], at whole: VariantPlace) {
        var value = changed(base, by: absent) ?? base
        var waiting = [JSONPointer()]
        var allowance = 200
        while let pointer = waiting.popLast(), allowance > 0 {
            allowance -= 1
            guard let here = pointer.value(in: value) else { continue }
            switch here.content {
            case .object(let object): waiting += object.names.map(pointer.appending)
            case .array(let elements):
                let emptied = value.replacing(pointer, with: .array([]))
                if collection.accepts(emptied) == true {
                    value = emptied
                } else if let first = elements.first {
                    let single = value.replacing(pointer, with: .array([first]))
                    if collection.accepts(single) == true { value = single }
                    waiting.append(pointer.appending(0))
                }
            default: break
            }
        }
        collection.offer(value, "only what is required is there", .legal, .whole, at: whole)
    }

    /// The value with all of the gaps; those that are not legal beside the others are left.
    private func changed(_ base: JSONValue, by gaps: [VariantGap]) -> JSONValue? {
        let ordered = gaps.sorted { $0.place.pointer.tokens.count > $1.place.pointer.tokens.count }
        let all = ordered.reduce(base) { value, gap in gap.applied(to: value) }
        if collection.accepts(all) == true { return all }
        var value = base
        for gap in ordered.prefix(Self.pairedGaps) {
            let next = gap.applied(to: value)
            if collection.accepts(next) == true { value = next }
        }
        return value
    }
}

extension VariantGap {
    fileprivate func applied(to value: JSONValue) -> JSONValue {
        guard place.pointer.value(in: value) != nil else { return value }
        return value.replacing(place.pointer, with: self.value)
    }
}
