package import JSON

/// The keywords of a schema that describe values and refuse none.
package struct Annotations: Sendable {
    package var title: String?
    /// The text of `$ref`.
    package var reference: String?
    /// The name of a format, also where formats are not asserted.
    package var format: String?
    /// A Boolean value that indicates whether the format decides between alternatives of a `oneOf` that accept a value
    /// without it, as in documents of OpenAPI.
    var formatDistinguishes = false
    package var example: JSONValue?
    package var examples: [JSONValue] = []
    /// The value of `default`.
    package var assumed: JSONValue?
    package var discriminator: Discriminator?
    /// The values of `contentEncoding`, `contentMediaType` and `contentSchema`, by keyword.
    package var content: [String: JSONValue] = [:]

    /// The format of texts by their `contentEncoding` (RFC 4648); `nil` without one, or another one.
    var contentFormat: String? {
        switch content[Keyword.contentEncoding.rawValue]?.string?.lowercased() {
        case "base64": StringFormat.byte.rawValue
        case "base64url": StringFormat.base64url.rawValue
        default: nil
        }
    }

    /// The documented values: `example`, `examples` and `default`, in this order.
    package var values: [JSONValue] { [example].compactMap(\.self) + examples + [assumed].compactMap(\.self) }
}

/// OpenAPI's `discriminator` (OpenAPI 3.1, section 4.8.25): the property whose text names the schema of a value.
package struct Discriminator: Sendable {
    package var property: String
    /// The schemas that `mapping` names; entries whose schema does not exist are left out.
    package var mapping: [(name: String, schema: SchemaID)]
}

/// A schema of a program as it is written, where a mere reference is a schema too.
package struct SchemaID: Hashable, Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// - Parameter number: a node, or -1 for no schema.
    init?(ifAny number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }
}
