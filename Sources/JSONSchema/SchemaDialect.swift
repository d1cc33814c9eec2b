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

/// The effect of `format`.
package enum FormatMode: Sendable, Hashable {
    /// An annotation, which refuses nothing.
    case annotation
    /// A text that is not of its format is refused.
    case assertion
}

/// The way that a value travels; `readOnly` and `writeOnly` depend on it.
package enum SchemaDirection: Sendable, Hashable {
    case either
    /// From client to server: required properties that are read-only may be missing.
    case request
    /// From server to client: required properties that are write-only may be missing.
    case response
}

extension SchemaDialect: Comparable {
    /// By age.
    package static func < (left: SchemaDialect, right: SchemaDialect) -> Bool { left.age < right.age }

    private var age: Int {
        switch self {
        case .draft4: 4
        case .openAPI30: 5
        case .draft6: 6
        case .draft7: 7
        case .draft2019: 8
        case .draft2020: 9
        case .openAPI31: 10
        }
    }
}

extension SchemaDialect {
    /// The dialect that a `$schema` declares; `nil` for a metaschema that is not one of the standard's.
    package init?(schemaURI: String) {
        switch URIReference(schemaURI).resource {
        case "http://json-schema.org/draft-04/schema", "https://json-schema.org/draft-04/schema": self = .draft4
        case "http://json-schema.org/draft-06/schema", "https://json-schema.org/draft-06/schema": self = .draft6
        case "http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema": self = .draft7
        case "https://json-schema.org/draft/2019-09/schema": self = .draft2019
        case "https://json-schema.org/draft/2020-12/schema": self = .draft2020
        case let uri where uri.hasPrefix("https://spec.openapis.org/oas/3.") && uri.contains("/dialect/"):
            // The later ones, such as 3.2's, bear a date, and add annotations only.
            self = .openAPI31
        default: return nil
        }
    }

    /// The keyword that names a schema resource.
    var identifierKeyword: String { self == .draft4 ? "id" : "$id" }

    /// A Boolean value that indicates whether everything next to a `$ref` is ignored.
    var referencesHideSiblings: Bool { self < .draft2019 }
}
