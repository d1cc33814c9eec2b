package import Basics
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
