import Basics
import JSON

extension SampleMaker {
    /// Merges what schemas require, a branch of each `anyOf` and `oneOf` chosen; `nil` when the choice cannot be met.
    mutating func constraints(_ schemas: [SchemaID], depth: Int) -> Conjunction? {
        var constraints = Conjunction()
        var seen: Set<SchemaID> = []
        var parts: [SchemaID] = []
        var waiting = Array(schemas.reversed())
        while let schema = waiting.popLast() {
            for part in table.parts(of: schema) where seen.insert(part).inserted {
                parts.append(part)
                let facts = table.facts(of: part)
                constraints.add(facts)
                if let condition = facts.choices.condition { waiting += consequences(of: condition) }
                for branches in [facts.choices.anyOf, facts.choices.oneOf] where !branches.isEmpty {
                    guard let branch = branch(branches, within: constraints.kinds, depth: depth) else { return nil }
                    waiting.append(branch)
                    if branches == facts.choices.oneOf { constraints.rivals += branches.filter { $0 != branch } }
                    if let tag = tag(of: branch, by: facts.annotations.discriminator) { constraints.tags.append(tag) }
                }
                if facts.choices.anyOf.isEmpty, facts.choices.oneOf.isEmpty,
                    let discriminator = facts.annotations.discriminator,
                    let tag = tag(amongParts: parts, below: part, by: discriminator, addingTo: &waiting)
                {
                    constraints.tags.append(tag)
                }
            }
        }
        return constraints.kinds.isEmpty ? nil : constraints
    }

    /// Chooses among the branches that agree with the kinds known so far; the flattest ones when it gets deep.
    private mutating func branch(_ branches: [SchemaID], within kinds: ValueKinds, depth: Int) -> SchemaID? {
        var possible: [(schema: SchemaID, depth: Int)] = []
        for branch in branches where !table.kinds(of: branch).isDisjoint(with: kinds) && !table.isBroken(branch) {
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

    /// The test and what follows from it, or what follows when it fails, which the random value must then meet.
    private mutating func consequences(of condition: ChoiceFacts.Condition) -> [SchemaID] {
        if chance.happens(0.5) { return [condition.test] + (condition.then.map { [$0] } ?? []) }
        return condition.otherwise.map { [$0] } ?? []
    }

    /// The name of a chosen branch: that of the mapping, else the last part of its reference.
    private mutating func tag(of branch: SchemaID, by discriminator: Discriminator?) -> PropertyTag? {
        guard let discriminator else { return nil }
        for part in table.parts(of: branch) {
            if let name = discriminator.name(of: part) { return PropertyTag(discriminator.property, name) }
        }
        guard let target = table.facts(of: branch).choices.reference else { return nil }
        return table.program.lastToken(of: target).map { PropertyTag(discriminator.property, $0) }
    }

    /// Returns whether a text of a discriminator's property names a branch: by the mapping, or as the last part of its
    /// reference.
    mutating func isNamed(_ text: String, _ branch: SchemaID, by discriminator: Discriminator) -> Bool {
        let parts = table.parts(of: branch)
        if let mapped = discriminator.mapping.first(where: { $0.name.exact == text.exact }) {
            return parts.contains(mapped.schema)
        }
        return table.facts(of: branch).choices.reference.flatMap(table.program.lastToken)?.exact == text.exact
    }

    /// The name of the schema that a value of a common base is made by.
    ///
    /// A value of the base itself is one of the schemas that the mapping names, if it has any (OpenAPI 3.0.3,
    /// Discriminator Object).
    ///
    /// - Parameter parts: what holds at the place, the schemas that add the base by `allOf` before it.
    private mutating func tag(
        amongParts parts: [SchemaID],
        below base: SchemaID,
        by discriminator: Discriminator,
        addingTo waiting: inout [SchemaID]
    ) -> PropertyTag? {
        for part in parts {
            if let name = discriminator.name(of: part) { return PropertyTag(discriminator.property, name) }
        }
        let named = parts.first { table.program.componentName(of: $0) != nil }
        if named == base || named == nil, let chosen = chance.element(of: discriminator.mapping) {
            waiting.append(chosen.schema)
            return PropertyTag(discriminator.property, chosen.name)
        }
        return named.flatMap(table.program.componentName).map { PropertyTag(discriminator.property, $0) }
    }
}

/// The text that a discriminator requires for a property.
struct PropertyTag {
    var property: String
    var text: String

    init(_ property: String, _ text: String) {
        self.property = property
        self.text = text
    }
}

extension Discriminator {
    /// The name that the mapping has for a schema.
    fileprivate func name(of schema: SchemaID) -> String? { mapping.first { $0.schema == schema }?.name }
}

extension CompiledSchemas {
    /// The last token of the pointer to a schema, its name when it is a component.
    func lastToken(of id: SchemaID) -> String? { places.path(of: place(of: id)).last }

    /// The name of a schema that is a component of an OpenAPI document.
    fileprivate func componentName(of id: SchemaID) -> String? {
        let path = places.path(of: place(of: id))
        return path.count == 3 && path[0].exact == "components" ? path[2] : nil
    }
}
