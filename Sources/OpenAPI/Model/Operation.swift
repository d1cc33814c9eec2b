import Basics
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
    /// The effect that the contract declares for the operation, if any; see ``Contract/effect(of:)``.
    package var documentedEffect: OperationEffect?
    /// Parameters of the operation and of its path item, each name and place once.
    package var parameters: [Parameter]
    /// The whole query, for an operation without single parameters in it (OpenAPI 3.2, `in: querystring`).
    package var querystring: Parameter?
    package var requestBody: RequestBody?
    package var responses: [DocumentedResponse]
    /// The documented responses that could not be read.
    package var unavailableResponses: [UnavailableResponse] = []
    /// The reference to a part of the request that cannot be resolved, so that not all of the request is known.
    package var unavailable: String?
    /// Alternatives, one of which must be met; none when there is no security.
    ///
    /// An alternative without requirements makes it optional.
    package var security: [[SecurityRequirement]]
    package var position: JSONPosition
    /// The absolute URI of the operation object, pointer included.
    package var uri: String

    /// Its name in messages: `GET /pets/{id}`.
    package var label: String { "\(method) \(path)" }

    /// The name of the operation in clients and reports: its `operationId`, or else method and path.
    package var id: String { operationID ?? label }

    /// The documented response for a status: the code itself, then its range, then the default.
    ///
    /// - Returns: `nil` where the contract documents none, or one that could not be read.
    package func response(for status: Int) -> DocumentedResponse? {
        guard unavailableResponses.isEmpty else {
            return keys(for: status).lazy.compactMap { key in responses.first { $0.status == key } }.first
        }
        return responses.first { $0.status == .code(status) }
            ?? responses.first { $0.status == .range(status / 100) }
            ?? responses.first { $0.status == .other }
    }

    /// The documented response for a status, where it could not be read.
    package func unavailableResponse(for status: Int) -> UnavailableResponse? {
        keys(for: status).lazy.compactMap { key in unavailableResponses.first { $0.status == key } }.first
    }

    /// The keys that mean a status, without those behind one that the contract has.
    private func keys(for status: Int) -> ArraySlice<DocumentedResponse.Status> {
        let keys: [DocumentedResponse.Status] = [.code(status), .range(status / 100), .other]
        let end = keys.firstIndex { key in
            responses.contains { $0.status == key } || unavailableResponses.contains { $0.status == key }
        }
        return keys[..<(end.map { $0 + 1 } ?? 0)]
    }
}

/// A documented response behind a reference that cannot be resolved.
package struct UnavailableResponse: Sendable, Hashable {
    package var status: DocumentedResponse.Status
    /// The text of the reference.
    package var reference: String
}

/// A security scheme that an alternative asks for.
package struct SecurityRequirement: Sendable, Hashable {
    package var scheme: String
    package var scopes: [String]
}

/// The way in which a client proves who it is (OpenAPI 3.1, section 4.8.27).
package struct SecurityScheme: Sendable {
    package enum Kind: Sendable, Hashable {
        case apiKey(location: Parameter.Location, name: String)
        /// The scheme in lower case: `bearer`, `basic` …
        case http(scheme: String)
        case oauth2
        case openIDConnect
        case mutualTLS
    }

    /// A way to get tokens (OpenAPI 3.1, section 4.8.30).
    package struct Flow: Sendable, Hashable {
        /// `password`, `clientCredentials`, `authorizationCode` and others.
        package var name: String
        package var authorizationURL: String?
        package var tokenURL: String?
        package var refreshURL: String?
        package var scopes: [String]
    }

    package var name: String
    package var kind: Kind
    /// The flows of OAuth 2; empty for every other kind.
    package var flows: [Flow] = []
    /// The URL at which OpenID Connect is discovered.
    package var discoveryURL: String?
    package var position: JSONPosition
}

/// A server's URL and the path that it begins with.
package struct ContractServer: Sendable, Hashable {
    package var url: String
    /// The path without a trailing slash; empty for the root.
    package var basePath: String
}

/// A parameter of an operation (OpenAPI 3.1, section 4.8.12), or a header of a response or a part.
package struct Parameter: Sendable {
    package enum Location: String, Sendable, Hashable, CaseIterable {
        case path
        case query
        case header
        case cookie
    }

    package enum Style: String, Sendable, Hashable, CaseIterable {
        case simple
        case label
        case matrix
        case form
        case spaceDelimited
        case pipeDelimited
        case deepObject
    }

    package var name: String
    package var location: Location
    package var isRequired: Bool
    package var style: Style
    package var explode: Bool
    package var allowsReserved: Bool
    package var allowsEmptyValue: Bool
    package var isDeprecated: Bool
    package var schema: SchemaReference?
    /// For a parameter that is described by a media type and not by a schema.
    package var content: MediaTypeContent?
    package var examples: [NamedExample]
    package var position: JSONPosition

    /// A Boolean value that indicates whether it is a header field that a contract describes elsewhere than among the
    /// parameters, so that this description is ignored (OpenAPI 3.1, section 4.8.12.2).
    package var isDescribedElsewhere: Bool {
        location == .header
            && ["Accept", "Content-Type", "Authorization"].contains { FieldName.isSame($0, name) }
    }
}

/// The place of a schema: its absolute URI, pointer included, and its position for messages.
package struct SchemaReference: Sendable, Hashable {
    package var uri: String
    package var position: JSONPosition
    /// Its place among the contract's schemas, by which what is known about it is found without comparing URIs.
    var number: Int?
}

/// An example in a contract, and the name by which a client may ask for it.
package struct NamedExample: Sendable {
    /// `nil` for the one under `example`.
    package var name: String?
    package var value: JSONValue
    package var position: JSONPosition
}

/// An example as it is sent, in the form of its media type (OpenAPI 3.2, section 4.19).
package struct SerializedExample: Sendable {
    package var name: String
    package var text: String
}

/// The body that a request may have.
package struct RequestBody: Sendable {
    package var isRequired: Bool
    package var content: [MediaTypeContent]
    package var position: JSONPosition
}

/// A body of one media type or range of them.
package struct MediaTypeContent: Sendable {
    /// The key as the file has it, such as `application/json` or `text/*`.
    package var mediaType: String
    package var schema: SchemaReference?
    /// The schema of each item of a sequence (OpenAPI 3.2).
    package var itemSchema: SchemaReference?
    package var examples: [NamedExample]
    /// Examples as they are sent (OpenAPI 3.2, `serializedValue`), some of which are also among ``examples`` as data.
    package var serializedExamples: [SerializedExample] = []
    /// The encodings of properties of a form or parts of a multipart body, by property name.
    package var encoding: [(name: String, encoding: Encoding)]
    package var position: JSONPosition

    /// The encoding of a property or part, where the contract has one.
    func encoding(of name: String) -> Encoding? { encoding.first { $0.name.exact == name.exact }?.encoding }
}

/// The encoding of one property of a form (OpenAPI 3.1, section 4.8.15).
package struct Encoding: Sendable {
    package var contentType: String?
    package var headers: [Parameter]
    package var style: Parameter.Style?
    package var explode: Bool?
    package var allowsReserved: Bool
    package var position: JSONPosition
}

/// A documented response.
package struct DocumentedResponse: Sendable {
    package enum Status: Sendable, Hashable {
        case code(Int)
        /// `4XX` is `.range(4)`.
        case range(Int)
        /// `default`.
        case other
    }

    package var status: Status
    package var summary: String
    package var headers: [Parameter]
    package var content: [MediaTypeContent]
    package var position: JSONPosition
    package var uri: String
}

extension DocumentedResponse.Status: CustomStringConvertible {
    package var description: String {
        switch self {
        case .code(let code): "\(code)"
        case .range(let first): "\(first)XX"
        case .other: "default"
        }
    }
}

extension DocumentedResponse.Status {
    /// A Boolean value that indicates whether it is the status of a success, or the range of all successes.
    package var isSuccess: Bool {
        switch self {
        case .code(let code): (200..<300).contains(code)
        case .range(let first): first == 2
        case .other: false
        }
    }
}

extension DocumentedResponse {
    /// The status with which an operation gives the response; `nil` where every status of a range has its own response.
    ///
    /// A range means its first status that is not documented by itself. `default` means a failure where a success is
    /// documented, and a success where none is.
    package func servedStatus(by operation: Operation) -> Int? {
        switch status {
        case .code(let code): return code
        case .range(let first):
            return (first * 100..<first * 100 + 100).first { status in
                !operation.responses.contains { $0.status == .code(status) }
            }
        case .other:
            let documentsSuccess = operation.responses.contains(where: \.status.isSuccess)
            return (documentsSuccess ? 500..<600 : 200..<300).first { status in
                operation.response(for: status)?.uri == uri
            }
        }
    }
}
