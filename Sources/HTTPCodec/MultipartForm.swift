import Basics

/// A body of `multipart/form-data` (RFC 7578).
///
/// Bytes of parts are not interpreted.
package struct MultipartForm: Sendable, Hashable {
    package struct Part: Sendable, Hashable {
        package var name: String
        package var filename: String?
        package var contentType: String?
        package var fields: HTTPFields
        /// A part of the form's own bytes.
        package var body: ArraySlice<UInt8>

        package init(
            name: String,
            filename: String? = nil,
            contentType: String? = nil,
            fields: HTTPFields = HTTPFields(),
            body: ArraySlice<UInt8>
        ) {
            self.name = name
            self.filename = filename
            self.contentType = contentType
            self.fields = fields
            self.body = body
        }

        package static func == (left: Part, right: Part) -> Bool {
            left.name == right.name && left.filename == right.filename && left.contentType == right.contentType
                && left.fields == right.fields && left.body.hasSameBytes(as: right.body)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(fields)
            body.hashBytes(into: &hasher)
        }
    }

    package var parts: [Part]

    package init(_ parts: [Part] = []) {
        self.parts = parts
    }

    /// - Parameter contentType: The value of Content-Type, which must name the boundary.
    package init(parsing body: [UInt8], contentType: String, maximumParts: Int = 256) throws(MultipartError) {
        guard let type = MediaType(parsing: contentType), type.type == "multipart", type.subtype == "form-data" else {
            throw .notMultipart(found: contentType)
        }
        guard let boundary = type.parameter("boundary") else { throw .missingBoundary }
        try self.init(parsing: body, boundary: boundary, maximumParts: maximumParts)
    }

    package init(parsing body: [UInt8], boundary: String, maximumParts: Int = 256) throws(MultipartError) {
        guard Self.isBoundary(boundary) else { throw .malformedBoundary(boundary) }
        var reader = MultipartReader(body: body, boundary: boundary)
        try reader.findStart()
        parts = []
        while try reader.continues(part: parts.count + 1) {
            guard parts.count < maximumParts else { throw .tooManyParts(limit: maximumParts) }
            parts.append(try reader.readPart(number: parts.count + 1))
        }
    }

    package func first(named name: String) -> Part? {
        parts.first { $0.name.exact == name.exact }
    }

    package func all(named name: String) -> [Part] {
        parts.filter { $0.name.exact == name.exact }
    }

    /// 1 to 70 of the characters of RFC 2046, section 5.1.1, no space at the end.
    private static func isBoundary(_ boundary: String) -> Bool {
        let allowed = "'()+_,-./:=? "
        return 1...70 ~= boundary.utf8.count && boundary.utf8.last != 0x20
            && boundary.utf8.allSatisfy { byte in
                ByteClass.isDigit(byte) || ByteClass.isLetter(byte) || allowed.utf8.contains(byte)
            }
    }
}

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
}

/// The reason why a body is not a valid multipart form.
///
/// Parts are counted from one.
package enum MultipartError: Error, Sendable, Hashable {
    case notMultipart(found: String)
    case missingBoundary
    case malformedBoundary(String)
    case noOpeningBoundary(String)
    case noClosingBoundary(String)
    case textAfterBoundary(part: Int)
    case malformedPartHead(part: Int, HTTPFault)
    case missingDisposition(part: Int)
    case malformedDisposition(part: Int)
    case missingName(part: Int)
    case tooManyParts(limit: Int)

    /// The finding and what was expected, without a full stop.
    package var sentence: String {
        switch self {
        case .notMultipart(let found):
            "Content-Type is \"\(PrintableText.of(found.utf8))\", not multipart/form-data"
        case .missingBoundary:
            "Content-Type contains no boundary parameter"
        case .malformedBoundary(let boundary):
            "the boundary \"\(PrintableText.of(boundary.utf8))\" does not consist of 1 to 70 allowed characters"
        case .noOpeningBoundary(let boundary):
            "the body does not contain the line \"--\(boundary)\""
        case .noClosingBoundary(let boundary):
            "the body does not end with \"--\(boundary)--\""
        case .textAfterBoundary(let part):
            "the boundary before part \(part) is not followed by a line end"
        case .malformedPartHead(let part, let fault):
            "the head of part \(part) is malformed: \(fault.sentence)"
        case .missingDisposition(let part):
            "part \(part) has no Content-Disposition"
        case .malformedDisposition(let part):
            "the Content-Disposition of part \(part) is not form-data with a name"
        case .missingName(let part):
            "the Content-Disposition of part \(part) contains no name"
        case .tooManyParts(let limit):
            "the form contains more than \(limit) parts"
        }
    }
}

extension MultipartError: CustomStringConvertible {
    package var description: String { sentence }
}
