package import JSONSchemaValidation
package import JSONText

/// Makes values that obey a schema, from nothing but the schema and a seeded stream of chance.
package struct SchemaSampler: Sendable {
    /// Where the values of a schema come from first.
    package enum Preference: Sendable {
        /// `example`, `examples`, `default` and `const` where they are valid, else made.
        case examples
        /// Always made.
        case schema
    }

    package init(registry: SchemaRegistry, program: SchemaProgram, preference: Preference = .examples) {}

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
    ) -> JSONValue? { nil }
}
