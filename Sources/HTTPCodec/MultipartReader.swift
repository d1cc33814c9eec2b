import Basics

/// Goes through a multipart body from boundary to boundary (RFC 2046, section 5.1.1), each byte visited once.
struct MultipartReader {
    private let body: [UInt8]
    private let boundary: String

    /// CR LF, two hyphens and the boundary.
    private let delimiter: [UInt8]

    /// For each length of a partial match how much of it may be the start of the next one (Knuth, Morris, Pratt).
    private let fallbacks: [Int]
    private var index = 0

    init(body: [UInt8], boundary: String) {
        self.body = body
        self.boundary = boundary
        delimiter = Array("\r\n--\(boundary)".utf8)
        fallbacks = Self.fallbacks(of: delimiter)
    }

    /// Skips the preamble.
    ///
    /// The first boundary may be at the very start, without a line end before it.
    mutating func findStart() throws(MultipartError) {
        if body.starts(with: delimiter.dropFirst(2)) {
            index = delimiter.count - 2
        } else if let found = nextDelimiter() {
            index = found + delimiter.count
        } else {
            throw .noOpeningBoundary(boundary)
        }
    }

    /// Behind a boundary: whether a part follows, or the two hyphens of the last boundary were there.
    mutating func continues(part: Int) throws(MultipartError) -> Bool {
        if body[index...].starts(with: [0x2D, 0x2D]) { return false }
        // White space may pad a boundary line.
        while index < body.count, ByteClass.isSpaceOrTab(body[index]) { index += 1 }
        guard index < body.count else { throw .noClosingBoundary(boundary) }
        guard body[index...].starts(with: [0x0D, 0x0A]) else { throw .textAfterBoundary(part: part) }
        // The line end stays: it may begin the delimiter of a part without head and body.
        index += 2
        return true
    }

    mutating func readPart(number: Int) throws(MultipartError) -> MultipartForm.Part {
        let fields = try readHead(part: number)
        let start = index
        // A body that is empty has the line end of its head as the one before the boundary.
        index -= 2
        guard let end = nextDelimiter() else { throw .noClosingBoundary(boundary) }
        index = end + delimiter.count
        let bytes = end > start ? body[start..<end] : []
        let disposition = try ContentDisposition(of: fields, part: number)
        return MultipartForm.Part(
            name: disposition.name,
            filename: disposition.filename,
            contentType: fields["Content-Type"],
            fields: fields,
            body: bytes
        )
    }

    private mutating func readHead(part: Int) throws(MultipartError) -> HTTPFields {
        var reader = HeadReader()
        reader.beginFields()
        let start = index
        let result: (fields: HTTPFields, end: Int)?
        do throws(HTTPFault) {
            result = try body.withUnsafeBufferPointer { bytes throws(HTTPFault) in
                try reader.readFields(
                    UnsafeBufferPointer(rebasing: bytes[start...]),
                    maximumSize: 16 << 10,
                    maximumCount: 64,
                    tooLarge: .fieldSectionTooLarge(limit: 16 << 10)
                )
            }
        } catch {
            throw .malformedPartHead(part: part, error)
        }
        guard let result else { throw .noClosingBoundary(boundary) }
        index = start + result.end
        return result.fields
    }

    private func nextDelimiter() -> Int? {
        body.withUnsafeBytes { bytes in
            var matched = 0
            var position = index
            while position < bytes.count {
                // Few bytes of an upload begin a delimiter, whose first one is a carriage return.
                if matched == 0 { position = bytes.firstIndex(ofByte: 0x0D, from: position) ?? bytes.count }
                guard position < bytes.count else { break }
                let byte = bytes[position]
                while matched > 0, byte != delimiter[matched] { matched = fallbacks[matched - 1] }
                if byte == delimiter[matched] { matched += 1 }
                position += 1
                if matched == delimiter.count { return position - matched }
            }
            return nil
        }
    }

    private static func fallbacks(of pattern: [UInt8]) -> [Int] {
        var table = [0]
        var length = 0
        for position in 1..<pattern.count {
            while length > 0, pattern[position] != pattern[length] { length = table[length - 1] }
            if pattern[position] == pattern[length] { length += 1 }
            table.append(length)
        }
        return table
    }
}

/// The name and file name of a part: `form-data; name="file"; filename="a.png"` (RFC 7578, section 4.2).
struct ContentDisposition {
    let name: String
    let filename: String?

    init(of fields: HTTPFields, part: Int) throws(MultipartError) {
        guard let value = fields["Content-Disposition"] else { throw .missingDisposition(part: part) }
        var scanner = ParameterScanner(value)
        scanner.skipSpace()
        guard scanner.lowercasedToken() == "form-data", let parameters = scanner.parameters(keepsBackslashes: true)
        else { throw .malformedDisposition(part: part) }
        guard let name = parameters.first(where: { $0.name == "name" }) else { throw .missingName(part: part) }
        self.name = String(decoding: name.value, as: UTF8.self)
        let plain = parameters.first { $0.name == "filename" }.map { String(decoding: $0.value, as: UTF8.self) }
        // RFC 7578, section 4.2 forbids filename*, yet some clients send nothing else.
        filename = plain ?? parameters.first { $0.name == "filename*" }.flatMap { Self.extended($0.value) }
    }

    /// `UTF-8''na%C3%AFve.txt`, RFC 8187, section 3.2.
    private static func extended(_ value: [UInt8]) -> String? {
        let pieces = value.split(separator: 0x27, maxSplits: 2, omittingEmptySubsequences: false)
        guard pieces.count == 3, let bytes = PercentEncoding.decodedBytes(pieces[2]) else { return nil }
        return HTTPFields.text(bytes[...])
    }
}
