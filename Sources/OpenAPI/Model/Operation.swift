package import HTTPCodec
package import JSON

/// A method on a path, as the contract documents it.
package struct Operation: Sendable {
    package var method: HTTPMethod
    /// The path template as the file has it: `/pets/{id}`.
    package var path: String
    package var operationID: String?
    package var summary: String?
    package var isDeprecated: Bool
    /// Parameters of the operation and of its path item, each name and place once.
    package var parameters: [Parameter]
    package var requestBody: RequestBody?
    package var responses: [DocumentedResponse]
    /// Alternatives, one of which must be met; none when there is no security.
    ///
    /// An alternative without requirements makes it optional.
    package var security: [[SecurityRequirement]]
    package var position: JSONPosition
    /// The absolute URI of the operation object, pointer included.
    package var uri: String

    /// How people name it: `GET /pets/{id}`.
    package var label: String { "\(method) \(path)" }

    /// What a client or report names the operation by: its `operationId`, or method and path where it has none.
    package var id: String { operationID ?? label }

    /// The documented response for a status: the code itself, then its range, then the default.
    package func response(for status: Int) -> DocumentedResponse? {
        responses.first { $0.status == .code(status) }
            ?? responses.first { $0.status == .range(status / 100) }
            ?? responses.first { $0.status == .other }
    }
}

/// A security scheme that an alternative asks for.
package struct SecurityRequirement: Sendable, Hashable {
    package var scheme: String
    package var scopes: [String]
}

/// How a client proves who it is (OpenAPI 3.1, section 4.8.27).
package struct SecurityScheme: Sendable {
    package enum Kind: Sendable, Hashable {
        case apiKey(location: Parameter.Location, name: String)
        /// The scheme in lower case: `bearer`, `basic` …
        case http(scheme: String)
        case oauth2
        case openIDConnect
        case mutualTLS
    }

    package var name: String
    package var kind: Kind
    package var position: JSONPosition
}

/// A server's URL and the path that it begins with.
package struct ContractServer: Sendable, Hashable {
    package var url: String
    /// The path without a trailing slash; empty for the root.
    package var basePath: String
}
