import Basics

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
