package import JSON

/// Makes values that obey a schema, from nothing but the schema and a seeded stream of chance.
///
/// Works on the schema as it is written, merging what `allOf` and references add, and lets the compiled schema judge
/// every value. The size is bounded: what is optional becomes rarer with depth and ends with a budget of values, so
/// recursive schemas come to an end.
package struct SchemaSampler: Sendable {
    /// Where the values of a schema come from first.
    package enum Preference: Sendable {
        /// `example`, `examples`, `default` and `const` where they are valid, else made.
        case examples
        /// Always made.
        case schema
    }

    private let tables: SampleTables
    private let preference: Preference

    package init(registry: SchemaRegistry, preference: Preference = .examples) {
        tables = SampleTables(registry: registry)
        self.preference = preference
    }

    /// Makes a value that the compiled schema accepts.
    ///
    /// - Parameters:
    ///   - uri: the absolute URI of the schema, pointer included.
    ///   - schema: the same schema, compiled: what is made is checked by it before it is given out.
    /// - Returns: `nil` when no valid value was found, because there is none or it is too hard to guess.
    package func sample(
        _ uri: String,
        validBy schema: Schema,
        going direction: SchemaDirection = .either,
        using generator: inout some RandomNumberGenerator
    ) -> JSONValue? {
        let seed = generator.next()
        var maker = SampleMaker(table: tables.borrow(), direction: direction)
        defer { tables.giveBack(maker.table) }
        guard let number = maker.table.schema(at: uri) else { return nil }
        let examples = examples(of: number, in: &maker.table, seed: seed)
        if preference == .examples, let example = examples.first(where: { Self.accepts($0, schema, direction) }) {
            return example
        }
        let isEndless = maker.table.minimalDepth(of: number) >= SchemaTable.endless
        for (attempt, strategy) in Self.attempts(isEndless: isEndless, preference) {
            let seed = seed &+ UInt64(attempt) &* 0xD134_2543_DE82_EF95
            if let value = maker.make(number, by: strategy, seed: seed), Self.accepts(value, schema, direction) {
                return value
            }
        }
        return (examples + Self.simplest).first { Self.accepts($0, schema, direction) }
    }

    /// The attempts with their numbers.
    ///
    /// What requires itself without end is only obeyed by a value of a kind that it does not speak of, and one attempt
    /// tries that at every depth.
    private static func attempts(isEndless: Bool, _ preference: Preference) -> [(offset: Int, element: SampleStrategy)]
    {
        let all = Array(SampleStrategy.ladder(preference).enumerated())
        return isEndless ? Array(all.filter(\.element.isSurprising).prefix(1)) : all
    }

    /// What to try when nothing could be made.
    private static let simplest: [JSONValue] = [
        .object([:]), .array([]), "", 0, true, .null, "text", -1, 1.5, ["key": "value"], ["value"], [[]],
        [.object([:])],
        ["key": .object([:])], ["key": []],
    ]

    /// The examples of a whole schema, beginning with one that chance takes.
    private func examples(of number: Int, in table: inout SchemaTable, seed: UInt64) -> [JSONValue] {
        var examples: [JSONValue] = []
        for part in table.parts(of: number) { examples += table.facts(of: part).examples }
        guard examples.count > 1 else { return examples }
        let first = Int(seed % UInt64(examples.count))
        return Array(examples[first...] + examples[..<first])
    }

    private static func accepts(_ value: JSONValue, _ schema: Schema, _ direction: SchemaDirection) -> Bool {
        do { return try schema.accepts(value, going: direction) } catch { return false }
    }
}
