package import JSON

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
}

/// Where a schema lies: its absolute URI, pointer included, and its place for messages.
package struct SchemaReference: Sendable, Hashable {
    package var uri: String
    package var position: JSONPosition
    /// Its place among the contract's schemas, by which what is known about it is found without comparing URIs.
    var number: Int?

    package init(uri: String, position: JSONPosition) {
        self.uri = uri
        self.position = position
    }
}

/// An example in a contract, and the name by which a client may ask for it.
package struct NamedExample: Sendable {
    /// `nil` for the one that stands under `example`.
    package var name: String?
    package var value: JSONValue
    package var position: JSONPosition
}
