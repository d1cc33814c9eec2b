package import Basics
package import HTTPCodec
package import JSON

/// A documented API: the operations of an OpenAPI file and of the files that it refers to.
package struct Contract: Sendable {
    /// The file's path as the user wrote it.
    package let path: String
    package let version: OpenAPIVersion
    package let title: String
    package let servers: [ContractServer]
    /// Every operation, in the order of the file.
    package let operations: [Operation]
    package let securitySchemes: [SecurityScheme]
    /// The files that it was read from; a position's document number is an index into them.
    package let sources: SourceMap
    /// Resolved paths of the files that it was read from, to watch for changes.
    package let watched: [String]
    /// What the loader found that keeps nobody from using the contract.
    ///
    /// Notes, warnings, and errors in parts that are left out of the model. ``lint()`` does not tell them again.
    package let findings: [Finding]
    /// The schemas of every operation, compiled when they are first asked for.
    package let schemas: ContractSchemas
    let index: OperationIndex
    /// The files' trees, in the order of ``sources``.
    let documents: [ContractDocument]
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
    /// Read as 3.1, with a note.
    case v32 = "3.2"
}

extension Contract {
    /// The same contract, by which a text must be of its `format`: a date no other text, a UUID no word.
    ///
    /// Schemas only note formats by themselves (JSON Schema 2020-12, section 7.2.1).
    package func assertingFormats() -> Contract {
        Contract(
            path: path,
            version: version,
            title: title,
            servers: servers,
            operations: operations,
            securitySchemes: securitySchemes,
            sources: sources,
            watched: watched,
            findings: findings,
            schemas: schemas.assertingFormats(),
            index: index,
            documents: documents,
            survey: survey
        )
    }
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

    /// The operations on a path, whatever their method: each method once, from the path that fits best.
    package func operations(at path: String) -> [Operation] {
        var methods: Set<HTTPMethod> = []
        return index.matches(path).map { operations[$0.number] }.filter { methods.insert($0.method).inserted }
    }

    /// The operation that a scenario's route stands for: the same method, and the same template but for the names of
    /// its parameters; or one that a concrete path of the route matches.
    package func operation(_ method: HTTPMethod, template: PathTemplate) -> Operation? {
        index.matches(template).lazy.map { operations[$0] }.first { $0.method == method }
    }
}
