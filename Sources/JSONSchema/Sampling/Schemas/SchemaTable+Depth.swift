import JSON

extension SchemaTable {
    /// More than any value's depth: the schema requires itself without end.
    static let endless = 1_000

    /// How deep the flattest value of a schema is: 0 for a scalar or something empty.
    ///
    /// Only what is required counts, so that recursion finds its way out.
    mutating func minimalDepth(of number: Int) -> Int {
        if let depth = entries[number].minimalDepth { return depth }
        let reached = schemasNeeded(by: number)
        var depths: [Int: Int] = [:]
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            // Those found last are the innermost, so that most depths are right in the first round.
            for schema in reached.reversed() {
                let depth = depth(of: schema) { depths[$0] ?? entries[$0].minimalDepth ?? Self.endless }
                if depth < depths[schema] ?? Self.endless {
                    depths[schema] = depth
                    hasChanged = true
                }
            }
        }
        for schema in reached { note(minimalDepth: depths[schema] ?? Self.endless, of: schema) }
        return entries[number].minimalDepth ?? Self.endless
    }

    /// The schemas whose depth is not known yet and on which a schema's depth depends.
    private mutating func schemasNeeded(by number: Int) -> [Int] {
        var reached: [Int] = []
        var seen: Set<Int> = []
        var waiting = [number]
        while let next = waiting.popLast() {
            guard entries[next].minimalDepth == nil, seen.insert(next).inserted else { continue }
            reached.append(next)
            let facts = facts(of: next)
            waiting += facts.choices.always + facts.choices.anyOf + facts.choices.oneOf
            waiting += facts.objects.needed
            waiting += facts.arrays.needed
        }
        return reached
    }

    private func depth(of number: Int, others: (Int) -> Int) -> Int {
        guard let facts = entries[number].facts, !facts.isImpossible else { return Self.endless }
        if facts.isNullable || facts.kinds?.contains(.null) ?? false || facts.values != nil { return 0 }
        var depth = facts.choices.always.map(others).max() ?? 0
        for branches in [facts.choices.anyOf, facts.choices.oneOf] {
            depth = max(depth, branches.map(others).min() ?? 0)
        }
        if (facts.kinds ?? .object) == .object, let deepest = facts.objects.needed.map(others).max() {
            depth = max(depth, deepest + 1)
        }
        if (facts.kinds ?? .array) == .array, let deepest = facts.arrays.needed.map(others).max() {
            depth = max(depth, deepest + 1)
        }
        return min(depth, Self.endless)
    }
}

extension ObjectFacts {
    /// The schemas of the properties that cannot be missing.
    var needed: [Int] { required.compactMap { properties[$0] } }
}

extension ArrayFacts {
    /// The schemas of the elements that cannot be missing.
    var needed: [Int] {
        var schemas = Array(prefix.prefix(minimumCount))
        if minimumCount > prefix.count, let rest = rest ?? unevaluated { schemas.append(rest) }
        if minimumContained > 0, let contained { schemas.append(contained) }
        return schemas
    }
}
