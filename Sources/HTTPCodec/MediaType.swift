import Basics

/// A media type with its parameters (RFC 9110, section 8.3.1); all names are lower-cased, values are kept.
package struct MediaType: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
        package var name: String
        package var value: String
    }

    package let type: String
    package let subtype: String
    package let parameters: [Parameter]

    /// `nil` for what is not a media type; white space around it does not matter.
    package init?(parsing text: String) {
        var scanner = ParameterScanner(text)
        scanner.skipSpace()
        guard let type = scanner.lowercasedToken(), scanner.skip(0x2F), let subtype = scanner.lowercasedToken(),
            let parameters = scanner.parameters()
        else { return nil }
        self.type = type
        self.subtype = subtype
        self.parameters = parameters.map {
            Parameter(name: $0.name, value: String(decoding: $0.value, as: UTF8.self))
        }
    }

    /// Without parameters, as in `application/json`.
    package var essence: String { "\(type)/\(subtype)" }

    /// Returns whether this is one of a range's types: `image/png` of `image/*` and of `*/*`, with any
    /// parameters.
    ///
    /// A type without a `*` is a range of one (RFC 9110, section 12.5.1).
    package func lies(in range: MediaType) -> Bool {
        (range.type == "*" || range.type == type) && (range.subtype == "*" || range.subtype == subtype)
    }

    /// A Boolean value that indicates whether it matches several types.
    package var isRange: Bool { type == "*" || subtype == "*" }

    /// The first value of that parameter; the name in any case.
    package func parameter(_ name: String) -> String? {
        let name = String(decoding: name.utf8.map(ByteClass.lowercased), as: UTF8.self)
        return parameters.first { $0.name == name }?.value
    }

    /// `application/json`, `text/json` or any `+json` (RFC 6839, section 3.1).
    package var isJSON: Bool {
        subtype == "json" && (type == "application" || type == "text")
            || subtype.utf8.suffix(5).elementsEqual("+json".utf8)
    }

    /// A Boolean value that indicates whether a body of this type may have no end: events, lines of JSON or pictures.
    package var isStream: Bool {
        ["text/event-stream", "application/x-ndjson", "multipart/x-mixed-replace"].contains(essence)
    }

    /// `application/x-www-form-urlencoded` (URL standard, section 5).
    package var isForm: Bool { essence == "application/x-www-form-urlencoded" }

    /// A Boolean value that indicates whether values in a body of this type may have names: JSON, forms, and texts, which
    /// may be either.
    package var mayHaveNames: Bool { isJSON || isForm || type == "text" }
}
