import JSON

extension SchemaTable {
    /// A schema and all that holds with it, following `$ref` and `allOf`: what a value must obey without any choice.
    mutating func parts(of number: Int) -> [Int] {
        if let parts = entries[number].parts { return parts }
        var parts: [Int] = []
        var seen: Set<Int> = []
        var waiting = [number]
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted else { continue }
            parts.append(next)
            waiting += facts(of: next).choices.always.reversed()
        }
        note(parts, of: number)
        return parts
    }

    /// The kinds of values that a schema leaves, as far as `type`, `enum` and `nullable` say it.
    mutating func kinds(of number: Int, depth: Int = 0) -> ValueKinds {
        var kinds = ValueKinds.all
        var isNullable = false
        for part in parts(of: number) {
            let facts = facts(of: part)
            if facts.isImpossible { return [] }
            if facts.isNullable { isNullable = true }
            if let own = facts.kinds { kinds.formIntersection(facts.isNullable ? own.union(.null) : own) }
            if let values = facts.values {
                kinds.formIntersection(values.reduce(into: []) { $0.formUnion(ValueKinds(of: $1)) })
            }
            guard depth < 3 else { continue }
            for branches in [facts.choices.anyOf, facts.choices.oneOf] where !branches.isEmpty {
                var union: ValueKinds = []
                for branch in branches { union.formUnion(self.kinds(of: branch, depth: depth + 1)) }
                kinds.formIntersection(union)
            }
        }
        return isNullable ? kinds.union(.null) : kinds
    }
}
