import JSON

extension SampleMaker {
    /// Merges what schemas want, a branch of each `anyOf` and `oneOf` chosen; `nil` when the choice cannot be met.
    mutating func demand(_ schemas: [Int], depth: Int) -> Demand? {
        var demand = Demand()
        var seen: Set<Int> = []
        var waiting = Array(schemas.reversed())
        while let schema = waiting.popLast() {
            for part in table.parts(of: schema) where seen.insert(part).inserted {
                let facts = table.facts(of: part)
                demand.add(facts)
                if let condition = facts.choices.condition { waiting += consequences(of: condition) }
                for branches in [facts.choices.anyOf, facts.choices.oneOf] where !branches.isEmpty {
                    guard let branch = branch(branches, beside: demand.kinds, depth: depth) else { return nil }
                    waiting.append(branch)
                    if branches == facts.choices.oneOf { demand.rivals += branches.filter { $0 != branch } }
                    if let tag = tag(of: branch, by: facts.choices.discriminator) { demand.tags.append(tag) }
                }
                if facts.choices.anyOf.isEmpty, facts.choices.oneOf.isEmpty,
                    let discriminator = facts.choices.discriminator,
                    let tag = tag(amongParts: seen, by: discriminator)
                {
                    demand.tags.append(tag)
                }
            }
        }
        return demand.isImpossible || demand.kinds.isEmpty && !demand.isNullable ? nil : demand
    }

    /// Chooses among the branches that agree with the kinds known so far; the flattest ones when it gets deep.
    private mutating func branch(_ branches: [Int], beside kinds: ValueKinds, depth: Int) -> Int? {
        var possible: [(schema: Int, depth: Int)] = []
        for branch in branches where !table.kinds(of: branch).isDisjoint(with: kinds) {
            let depth = table.minimalDepth(of: branch)
            if depth < SchemaTable.endless { possible.append((branch, depth)) }
        }
        // Null as a branch is OpenAPI 3.1's way to say nullable.
        let telling = chance.happens(strategy.nullShare) ? [] : possible.filter { table.kinds(of: $0.schema) != .null }
        if !telling.isEmpty, !isPlain(at: depth) { possible = telling }
        if isPlain(at: depth), let flattest = possible.map(\.depth).min() {
            possible = possible.filter { $0.depth == flattest }
        }
        return chance.element(of: possible)?.schema
    }

    /// The test and what follows from it, or what follows when it fails, which chance must then bring about.
    private mutating func consequences(of condition: ChoiceFacts.Condition) -> [Int] {
        if chance.happens(0.5) { return [condition.test] + (condition.then.map { [$0] } ?? []) }
        return condition.otherwise.map { [$0] } ?? []
    }

    /// The name of a chosen branch: that of the mapping, else the last part of its reference.
    private mutating func tag(of branch: Int, by discriminator: Discriminator?) -> (property: String, text: String)? {
        guard let discriminator else { return nil }
        let parts = table.parts(of: branch)
        if let mapped = discriminator.mapping.first(where: { parts.contains($0.schema) }) {
            return (discriminator.property, mapped.name)
        }
        guard let target = table.facts(of: branch).choices.always.first else { return nil }
        return table.lastToken(of: target).map { (discriminator.property, $0) }
    }

    /// The name of the schema that a value of a common base is made by.
    private mutating func tag(
        amongParts parts: Set<Int>,
        by discriminator: Discriminator
    ) -> (property: String, text: String)? {
        let mapping = discriminator.mapping
        let chosen = mapping.first { parts.contains($0.schema) } ?? chance.element(of: mapping)
        return chosen.map { (discriminator.property, $0.name) }
    }
}

extension SchemaTable {
    /// The last token of the pointer to a schema, its name when it is a component.
    func lastToken(of number: Int) -> String? {
        let uri = entries[number].uri
        guard let hash = uri.utf8.firstIndex(of: 0x23) else { return nil }
        return JSONPointer(fragment: String(uri[hash...]))?.tokens.last
    }
}
