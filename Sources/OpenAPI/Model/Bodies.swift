package import JSON

/// What a request may carry.
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
    package var examples: [NamedExample]
    /// How properties of a form or parts of a multipart body are written, by property name.
    package var encoding: [(name: String, encoding: Encoding)]
    package var position: JSONPosition
}

/// How one property of a form is written (OpenAPI 3.1, section 4.8.15).
package struct Encoding: Sendable {
    package var contentType: String?
    package var headers: [Parameter]
    package var style: Parameter.Style?
    package var explode: Bool?
    package var allowsReserved: Bool
}

/// A documented answer.
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
