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
        var registry = registry
        registry.add(document, at: uri, dialect: dialect)
        var compiler = SchemaCompiler(registry: registry, formats: formats)
        // A circle is worth telling, but values that do not come near it get their verdict.
        guard let handle = compiler.compile(uri), compiler.problems.allSatisfy({ $0.id == "circular-reference" }) else {
            throw SchemaError(problems: compiler.problems)
        }
        return compiler.finish().schema(handle)
    }

    /// The bytes of its stack that a validation may use on any thread: the smallest threads have 512 kB.
    package static let smallStack = 384 * 1024

    /// Whether a value obeys the schema; the quick way, which builds no messages.
    ///
    /// - Parameter stack: the bytes of stack that may be used, for callers who know that their thread has more.
    package func accepts(
        _ value: JSONValue,
        going direction: SchemaDirection = .either,
        stack: Int = Schema.smallStack
    ) throws(SchemaEvaluationError) -> Bool {
        try accepts(value, going: direction, stack: stack, budget: StepBudget(for: value))
    }

    func accepts(
        _ value: JSONValue,
        going direction: SchemaDirection,
        stack: Int,
        budget: StepBudget
    ) throws(SchemaEvaluationError) -> Bool {
        var run = QuickValidation(program.schemas, going: direction, stack: stack, budget: budget)
        let verdict = run.accepts(Int32(root), value)
        if let failure = run.failure(on: value) { throw failure }
        return verdict
    }

    /// Judges a value and says everything that is wrong with it.
    ///
    /// - Parameter stack: the bytes of stack that may be used, for callers who know that their thread has more.
    package func evaluate(
        _ value: JSONValue,
        going direction: SchemaDirection = .either,
        stack: Int = Schema.smallStack
    ) throws(SchemaEvaluationError) -> SchemaEvaluation {
        if try accepts(value, going: direction, stack: stack) { return SchemaEvaluation(violations: []) }
        let budget = StepBudget(for: value)
        var explanation = Explanation(program.schemas, going: direction, stack: stack, budget: budget)
        return SchemaEvaluation(violations: try explanation.explain(Int32(root), value))
    }
}
