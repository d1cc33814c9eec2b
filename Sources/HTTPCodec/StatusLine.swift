import Basics

/// A status line, `HTTP-version SP status-code SP [ reason-phrase ]` (RFC 9112, section 4).
struct StatusLine: Sendable {
    var version: HTTPVersion
    var status: HTTPStatus
    var reasonPhrase: String

    /// What every response starts with; anything else is no HTTP.
    static let start: StaticString = "HTTP/"

    /// The space behind the code may be missing with the phrase, as many servers have it.
    init(_ bytes: UnsafeBufferPointer<UInt8>, lineFeed: Int) throws(HTTPFault) {
        guard lineFeed > 0, bytes[lineFeed - 1] == 0x0D else { throw .bareLineFeed }
        let line = UnsafeBufferPointer(rebasing: bytes[..<(lineFeed - 1)])
        if line.contains(0x0D) { throw .bareCarriageReturn }
        guard line.count >= 12, line[6] == 0x2E, line[8] == 0x20, ByteClass.isDigit(line[5]),
            ByteClass.isDigit(line[7]), line.count == 12 || line[12] == 0x20
        else { throw .malformedStatusLine }
        guard line[5] == 0x31 else { throw .unsupportedVersion(PrintableText.of(line[..<8])) }
        version = line[7] == 0x30 ? .http10 : .http11
        var code = 0
        for digit in line[9..<12] {
            guard ByteClass.isDigit(digit) else { throw .malformedStatusLine }
            code = code * 10 + Int(digit - 0x30)
        }
        guard let status = HTTPStatus(exactly: code) else { throw .malformedStatusLine }
        self.status = status
        let phrase = line.dropFirst(13)
        guard phrase.allSatisfy(ByteClass.isFieldContent) else { throw .malformedStatusLine }
        reasonPhrase = HTTPFields.text(Array(phrase)[...])
    }
}
