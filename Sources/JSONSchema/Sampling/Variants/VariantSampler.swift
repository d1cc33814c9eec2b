package import JSON

/// Makes values on every edge of a schema: what a reader must take, should take and must refuse.
///
/// Begins with one rich value, the first documented example completed with everything that is optional, and changes one
/// thing at a time. The compiled schema judges every variant before it is given out. The same seed makes the same
/// variants; the size of all is bounded, whatever the schema.
package struct VariantSampler: Sendable {
    private let tables: SampleTables

    package init(registry: SchemaRegistry) {
        tables = SampleTables(registry: registry)
    }

    /// Makes the variants of a schema, the rich value first.
    ///
    /// - Parameters:
    ///   - uri: the absolute URI of the schema, pointer included.
    ///   - schema: the same schema, compiled; best with formats asserted.
    ///   - examples: documented values with their names; those that the schema refuses are not used.
    /// - Returns: none when no valid value was found.
    package func variants(
        of uri: String,
        validBy schema: Schema,
        examples: [(name: String, value: JSONValue)] = [],
        going direction: SchemaDirection = .response,
        seed: UInt64 = 1,
        limits: VariantLimits = VariantLimits()
    ) -> [SchemaVariant] {
        var maker = SampleMaker(table: tables.borrow(), direction: direction)
        guard let number = maker.table.schema(at: uri) else {
            tables.giveBack(maker.table)
            return []
        }
        maker.chance = SampleChance(seed: seed)
        let collection = VariantCollection(schema: schema, direction: direction, limits: limits)
        var making = VariantMaking(maker: maker, collection: collection, root: number)
        making.makeAll(examples: examples, seed: seed)
        tables.giveBack(making.maker.table)
        return making.collection.variants(within: limits)
    }

    /// The members of a value that its schema allows, but does not name, where it names others.
    ///
    /// - Parameters:
    ///   - uri: the absolute URI of the schema, pointer included.
    ///   - schema: the same schema, compiled.
    package func strangers(in value: JSONValue, of uri: String, validBy schema: Schema) -> [StrangeMember] {
        var maker = SampleMaker(table: tables.borrow(), direction: .request)
        guard let number = maker.table.schema(at: uri) else {
            tables.giveBack(maker.table)
            return []
        }
        let collection = VariantCollection(schema: schema, direction: .request)
        var making = VariantMaking(maker: maker, collection: collection, root: number)
        defer { tables.giveBack(making.maker.table) }
        return making.strangers(in: value, by: [number])
    }
}
