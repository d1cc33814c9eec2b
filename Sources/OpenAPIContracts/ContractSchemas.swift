package import JSONSchemaValidation
import Synchronization

/// A contract's schemas, compiled when they are first asked for and then shared.
///
/// A class, because every copy of a contract means the same compiled program.
package final class ContractSchemas: Sendable {
    package let registry: SchemaRegistry
    let roots: [SchemaReference]
    private let compiled = Mutex<Compiled?>(nil)

    /// - Parameters:
    ///   - registry: the contract's documents.
    ///   - roots: every schema that may be asked for, in the order of the files.
    init(registry: SchemaRegistry, roots: [SchemaReference]) {
        self.registry = registry
        self.roots = roots
    }

    /// The compiled schema at a place; `nil` when it has errors, which the lint tells.
    ///
    /// The first call compiles every schema of the contract.
    package func schema(_ reference: SchemaReference) -> Schema? {
        withCompiled { compiled in
            compiled.handles[reference.uri].map(compiled.program.schema)
        }
    }

    /// What is wrong with the schemas themselves, in the order of discovery.
    package var problems: [SchemaProblem] {
        withCompiled(\.problems)
    }

    private struct Compiled {
        var program: SchemaProgram
        var handles: [String: SchemaHandle]
        var problems: [SchemaProblem]
    }

    private func withCompiled<Value>(_ body: (Compiled) -> Value) -> Value where Value: Sendable {
        compiled.withLock { state in
            let current = state ?? compile()
            state = current
            return body(current)
        }
    }

    private func compile() -> Compiled {
        var compiler = SchemaCompiler(registry: registry, formats: .annotation)
        var handles: [String: SchemaHandle] = [:]
        for root in roots where handles[root.uri] == nil {
            handles[root.uri] = compiler.compile(root.uri)
        }
        let problems = compiler.problems
        return Compiled(program: compiler.finish(), handles: handles, problems: problems)
    }
}
