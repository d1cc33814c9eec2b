package import Basics
package import HTTPCodec
package import JSON
package import JSONSchema

/// A documented API: the operations of an OpenAPI file and of the files that it refers to.
package struct Contract: Sendable {
    /// The file's path as the user wrote it.
    package let path: String
    package let version: OpenAPIVersion
    package let title: String
    package let servers: [ContractServer]
    /// The same with those of paths and operations.
    package let allServers: [ContractServer]
    /// Every operation, in the order of the file.
    package let operations: [Operation]
    /// The operations that clients do not call, such as webhooks and callbacks; the path says which.
    package let asides: [Operation]
    package let securitySchemes: [SecurityScheme]
    /// The files that it was read from; a position's document number is an index into them.
    package let sources: SourceMap
    /// Resolved paths of the files that it was read from, to watch for changes.
    package let watched: [String]
    /// The findings of the loader that do not prevent the use of the contract.
    ///
    /// Notes, warnings, and errors in parts that are left out of the model. ``lint()`` does not report them again.
    package let findings: [Finding]
    /// The schemas of every operation, compiled when they are first asked for.
    package private(set) var schemas: ContractSchemas
    let index: OperationIndex
    /// The files' trees, in the order of ``sources``.
    let documents: [ContractDocument]
    /// The changes by overlays.
    let origins: [Overlay.Origin]
    let survey: ContractSurvey
}

/// An operation, and what the request's path says.
package struct MatchedOperation: Sendable {
    package var operation: Operation
    /// Raw path values, still percent-encoded, by parameter name.
    package var pathValues: [String: String]
}

/// The version that a file declares.
package enum OpenAPIVersion: String, Sendable, Hashable {
    case v30 = "3.0"
    case v31 = "3.1"
    case v32 = "3.2"
}

extension Contract {
    /// The same contract, by which a text must be of its `format`: a date no other text, a UUID no word.
    ///
    /// Schemas only note formats by themselves (JSON Schema 2020-12, section 7.2.1).
    package func assertingFormats() -> Contract {
        var contract = self
        contract.schemas = schemas.assertingFormats()
        return contract
    }

    /// The same contract, by which a value is refused where its schema is `writeOnly`: such a value "is never present
    /// when the instance is retrieved" (JSON Schema validation 2020-12, section 9.4).
    package func refusingWriteOnly() -> Contract {
        var contract = self
        contract.schemas = schemas.refusingWriteOnly()
        return contract
    }
}

extension Contract {
    /// The URI of the document itself.
    package var uri: String { documents.first?.uri ?? "" }

    /// A value of the document itself, with its place.
    package func value(at pointer: JSONPointer) -> JSONValue? { documents.first.flatMap { pointer.value(in: $0.root) } }
}

extension Contract {
    /// The operation that a request is for, and the values of its path parameters.
    ///
    /// A concrete path wins over a templated one (OpenAPI 3.1, section 4.8.8.2), as long as it has the method. The path
    /// may begin with a server's; a query behind it does not matter.
    package func operation(_ method: HTTPMethod, _ path: String) -> MatchedOperation? {
        let matches = index.matches(path)
        guard let match = matches.first(where: { operations[$0.number].method == method }) else { return nil }
        return MatchedOperation(
            operation: operations[match.number],
            pathValues: Dictionary(match.values, uniquingKeysWith: { first, _ in first })
        )
    }

    /// The operations on a path with any method: each method once, from the path that fits best.
    package func operations(at path: String) -> [Operation] {
        var methods: Set<HTTPMethod> = []
        return index.matches(path).map { operations[$0.number] }.filter { methods.insert($0.method).inserted }
    }

    /// The operation of a scenario's route: the same method, and the same template but for the names of
    /// its parameters; or one that a concrete path of the route matches.
    package func operation(_ method: HTTPMethod, template: PathTemplate) -> Operation? {
        index.matches(template).lazy.map { operations[$0] }.first { $0.method == method }
    }
}

/// A contract's schemas, compiled when they are first asked for and then shared.
///
/// A class, because every copy of a contract means the same compiled program.
package final class ContractSchemas: Sendable {
    package let registry: SchemaRegistry
    let roots: [SchemaReference]
    private let formats: FormatMode
    private let refusesWriteOnly: Bool
    private let compiled = Lock<Compiled?>(nil)

    /// - Parameters:
    ///   - registry: the contract's documents.
    ///   - roots: every schema that may be asked for, those with a number first and in its order.
    ///   - formats: whether a text must be of its format.
    ///   - refusesWriteOnly: whether write-only values are refused.
    init(
        registry: SchemaRegistry,
        roots: [SchemaReference],
        formats: FormatMode = .annotation,
        refusesWriteOnly: Bool = false
    ) {
        self.registry = registry
        self.roots = roots
        self.formats = formats
        self.refusesWriteOnly = refusesWriteOnly
    }

    /// The same schemas, with texts that must be of their formats.
    func assertingFormats() -> ContractSchemas {
        ContractSchemas(registry: registry, roots: roots, formats: .assertion, refusesWriteOnly: refusesWriteOnly)
    }

    /// The same schemas, which refuse write-only values.
    func refusingWriteOnly() -> ContractSchemas {
        ContractSchemas(registry: registry, roots: roots, formats: formats, refusesWriteOnly: true)
    }

    /// The compiled schema at a place; `nil` when it has errors, which the lint reports.
    ///
    /// The first call compiles every schema of the contract.
    package func schema(_ reference: SchemaReference) -> Schema? {
        let compiled = current
        guard let id = compiled.id(of: reference), !compiled.program.hasErrors(id) else { return nil }
        return compiled.program.schema(id)
    }

    /// The compiled schema at a place, although it may have errors: it judges no more than its intact parts.
    package func schemaWithErrors(_ reference: SchemaReference) -> Schema? {
        let compiled = current
        return compiled.id(of: reference).map(compiled.program.schema)
    }

    /// The program of all schemas, for those who read what they say.
    package var program: SchemaProgram { current.program }

    /// The schema at a place, also one that has errors; `nil` where the model has none.
    package func id(of reference: SchemaReference) -> SchemaID? {
        current.id(of: reference)
    }

    /// Compiles every schema, which the first to ask for one would otherwise wait for.
    package func prepare() { _ = current }

    /// The problems of the schemas themselves, in the order of discovery.
    package var problems: [SchemaProblem] {
        current.problems
    }

    /// The first problem in what a schema reaches; `nil` when it can be used.
    package func firstProblem(of reference: SchemaReference) -> SchemaProblem? {
        var compiler = SchemaCompiler(registry: registry, formats: formats)
        guard compiler.compile(reference.uri) == nil else { return nil }
        return compiler.problems.first
    }

    /// A class, so that it is handed out of the lock without copying its parts.
    private final class Compiled: Sendable {
        let program: SchemaProgram
        /// In the order of the roots, whose first ones are the numbered references.
        private let ids: [SchemaID?]
        let problems: [SchemaProblem]

        init(_ program: SchemaProgram, ids: [SchemaID?], problems: [SchemaProblem]) {
            self.program = program
            self.ids = ids
            self.problems = problems
        }

        func id(of reference: SchemaReference) -> SchemaID? {
            if let number = reference.number { return ids[number] }
            return program.schema(at: reference.uri)
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
        var compiler = SchemaCompiler(registry: registry, formats: formats, refusesWriteOnly: refusesWriteOnly)
        let ids = roots.map { compiler.add($0.uri) }
        let problems = compiler.problems
        return Compiled(compiler.finish(), ids: ids, problems: problems)
    }
}
