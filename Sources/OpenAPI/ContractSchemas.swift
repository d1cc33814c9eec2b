import Basics
package import JSONSchema

/// A contract's schemas, compiled when they are first asked for and then shared.
///
/// A class, because every copy of a contract means the same compiled program.
package final class ContractSchemas: Sendable {
    package let registry: SchemaRegistry
    let roots: [SchemaReference]
    private let formats: FormatMode
    private let compiled = Lock<Compiled?>(nil)

    /// - Parameters:
    ///   - registry: the contract's documents.
    ///   - roots: every schema that may be asked for, those with a number first and in its order.
    ///   - formats: whether a text must be of its format.
    init(registry: SchemaRegistry, roots: [SchemaReference], formats: FormatMode = .annotation) {
        self.registry = registry
        self.roots = roots
        self.formats = formats
    }

    /// The same schemas, with texts that must be of their formats.
    func assertingFormats() -> ContractSchemas {
        ContractSchemas(registry: registry, roots: roots, formats: .assertion)
    }

    /// The compiled schema at a place; `nil` when it has errors, which the lint tells.
    ///
    /// The first call compiles every schema of the contract.
    package func schema(_ reference: SchemaReference) -> Schema? {
        let compiled = current
        if let number = reference.number { return compiled.numbered[number] }
        return compiled.handles[reference.uri].map(compiled.program.schema)
    }

    /// What is wrong with the schemas themselves, in the order of discovery.
    package var problems: [SchemaProblem] {
        current.problems
    }

    /// A class, so that it is handed out of the lock without copying its parts.
    private final class Compiled: Sendable {
        let program: SchemaProgram
        let handles: [String: SchemaHandle]
        /// In the order of the roots, whose first ones are the numbered references.
        let numbered: [Schema?]
        let problems: [SchemaProblem]

        init(program: SchemaProgram, handles: [String: SchemaHandle], numbered: [Schema?], problems: [SchemaProblem]) {
            self.program = program
            self.handles = handles
            self.numbered = numbered
            self.problems = problems
        }
    }

    private var current: Compiled {
        compiled.withLock { state in
            if let state { return state }
            let new = compile()
            state = new
            return new
        }
    }

    private func compile() -> Compiled {
        var compiler = SchemaCompiler(registry: registry, formats: formats)
        var handles: [String: SchemaHandle] = [:]
        for root in roots where handles[root.uri] == nil {
            handles[root.uri] = compiler.compile(root.uri)
        }
        let problems = compiler.problems
        let program = compiler.finish()
        return Compiled(
            program: program,
            handles: handles,
            numbered: roots.map { handles[$0.uri].map(program.schema) },
            problems: problems
        )
    }
}
