package import JSONText

/// A compiled schema: a place in a ``SchemaProgram`` where validation begins.
package struct Schema: Sendable {
    package let program: SchemaProgram
    let root: Int

    /// Compiles one schema document.
    ///
    /// - Throws: ``SchemaError`` with everything that is wrong with it, not only the first thing.
    package static func compile(
        _ document: JSONValue,
        at uri: String = "backlot:schema",
        dialect: SchemaDialect = .draft2020,
        formats: FormatMode = .annotation,
        registry: SchemaRegistry = SchemaRegistry()
    ) throws(SchemaError) -> Schema {
        throw SchemaError(problems: [])
    }

    /// Whether a value obeys the schema; the quick way, which builds no messages.
    package func accepts(_ value: JSONValue, going direction: SchemaDirection = .either) throws(SchemaEvaluationError)
        -> Bool
    {
        false
    }

    /// Judges a value and says everything that is wrong with it.
    package func evaluate(_ value: JSONValue, going direction: SchemaDirection = .either) throws(SchemaEvaluationError)
        -> SchemaEvaluation
    {
        SchemaEvaluation(violations: [])
    }
}
