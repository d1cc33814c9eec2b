/// The rules that a schema document is written by.
package enum SchemaDialect: String, Sendable, Hashable, CaseIterable {
    case draft4
    case draft6
    case draft7
    case draft2019
    case draft2020
    /// OpenAPI 3.0's schema objects: a part of draft 5 with `nullable` and boolean exclusive limits.
    case openAPI30
    /// OpenAPI 3.1's schema objects: draft 2020-12 with a few annotations.
    case openAPI31
}

/// What `format` means.
package enum FormatMode: Sendable, Hashable {
    /// It says something to people and refuses nothing.
    case annotation
    /// A text that is not of its format is refused.
    case assertion
}

/// Which way a value travels; `readOnly` and `writeOnly` depend on it.
package enum SchemaDirection: Sendable, Hashable {
    case either
    /// From client to server: required properties that are read-only may be missing.
    case request
    /// From server to client: required properties that are write-only may be missing.
    case response
}
