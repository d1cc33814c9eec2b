package import JSON

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
        var registry = registry
        registry.add(document, at: uri, dialect: dialect)
        var compiler = SchemaCompiler(registry: registry, formats: formats)
        // A circle is worth telling, but values that do not come near it get their verdict.
        guard let handle = compiler.compile(uri), compiler.problems.allSatisfy({ $0.id == "circular-reference" }) else {
            throw SchemaError(problems: compiler.problems)
        }
        return compiler.finish().schema(handle)
    }

    /// Whether a value obeys the schema; the quick way, which builds no messages.
    ///
    /// - Throws: what keeps it from a verdict, such as a value too deep for the stack of the running thread.
    package func accepts(
        _ value: JSONValue,
        going direction: SchemaDirection = .either
    ) throws(SchemaEvaluationError) -> Bool {
        try accepts(value, going: direction, budget: StepBudget(for: value))
    }

    func accepts(
        _ value: JSONValue,
        going direction: SchemaDirection,
        budget: StepBudget
    ) throws(SchemaEvaluationError) -> Bool {
        var run = QuickValidation(program.schemas, going: direction, budget: budget)
        let verdict = run.accepts(Int32(root), value)
        if let failure = run.failure(on: value) { throw failure }
        return verdict
    }

    /// Judges a value and says everything that is wrong with it.
    ///
    /// - Throws: what keeps it from a verdict, such as a value too deep for the stack of the running thread.
    package func evaluate(
        _ value: JSONValue,
        going direction: SchemaDirection = .either
    ) throws(SchemaEvaluationError) -> SchemaEvaluation {
        if try accepts(value, going: direction) { return SchemaEvaluation(violations: []) }
        var explanation = Explanation(program.schemas, going: direction, budget: StepBudget(for: value))
        return SchemaEvaluation(violations: try explanation.explain(Int32(root), value))
    }
}
