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
