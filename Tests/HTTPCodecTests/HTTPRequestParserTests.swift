import HTTPCodec
import Testing

struct HTTPRequestParserTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let what: String
        let bytes: String
        let reason: HTTPFault
        let status: HTTPStatus

        init(_ what: String, _ bytes: String, _ reason: HTTPFault, _ status: HTTPStatus = .badRequest) {
            self.what = what
            self.bytes = bytes
            self.reason = reason
            self.status = status
        }

        var testDescription: String { what }
    }

    static let refusals: [Refusal] = [
        Refusal("TLS", "\u{16}\u{3}\u{1}\u{2}\u{0}", .tlsHandshake),
        Refusal("no version", "GET /\r\n", .malformedRequestLine),
        Refusal("no target", "GET HTTP/1.1\r\n", .malformedRequestLine),
        Refusal("two spaces", "GET  / HTTP/1.1\r\n", .malformedRequestLine),
        Refusal("space at the end", "GET / HTTP/1.1 \r\n", .malformedRequestLine),
        Refusal("space at the start", " GET / HTTP/1.1\r\n", .malformedRequestLine),
        Refusal("space in the target", "GET /a b HTTP/1.1\r\n", .malformedRequestLine),
        Refusal("tab instead of space", "GET\t/ HTTP/1.1\r\n", .malformedRequestLine),
        Refusal("spaces only", "   \r\n\r\n", .malformedRequestLine),
        Refusal("method no token", "GE(T / HTTP/1.1\r\n", .malformedMethod),
        Refusal("method too long", String(repeating: "A", count: 65), .methodTooLong(limit: 64)),
        Refusal("NUL in the target", "GET /\u{0} HTTP/1.1\r\n", .malformedTarget),
        Refusal("DEL in the target", "GET /\u{7F} HTTP/1.1\r\n", .malformedTarget),
        Refusal("raw UTF-8 in the target", "GET /\u{C3}\u{A9} HTTP/1.1\r\n", .malformedTarget),
        Refusal("fragment", "GET /a#b HTTP/1.1\r\n", .fragmentInTarget),
        Refusal("target of no form", "GET a/b HTTP/1.1\r\n", .malformedTarget),
        Refusal("foreign scheme", "GET ftp://h/ HTTP/1.1\r\n", .malformedTarget),
        Refusal("user in the target", "GET http://u@h/ HTTP/1.1\r\n", .malformedTarget),
        Refusal("no host in the target", "GET http:///a HTTP/1.1\r\n", .malformedTarget),
        Refusal("asterisk with GET", "GET * HTTP/1.1\r\n", .asteriskWithoutOptions),
        Refusal("CONNECT", "CONNECT h:443 HTTP/1.1\r\n", .connectNotSupported, .notImplemented),
        Refusal("lower-case version", "GET / http/1.1\r\n", .malformedVersion),
        Refusal("one number", "GET / HTTP/1\r\n", .malformedVersion),
        Refusal("leading zeros", "GET / HTTP/01.01\r\n", .malformedVersion),
        Refusal("version HTTP/", "GET / HTTP/\r\n", .malformedVersion),
        Refusal("version 1.1x", "GET / HTTP/1.1x\r\n", .malformedVersion),
        Refusal("version 1,1", "GET / HTTP/1,1\r\n", .malformedVersion),
        Refusal("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion("HTTP/2.0"), .versionNotSupported),
        Refusal("another protocol", "GET / FOO/9\r\n", .unsupportedVersion("FOO/9"), .versionNotSupported),
        Refusal("version 2.0", "GET / HTTP/2.0\r\n", .unsupportedVersion("HTTP/2.0"), .versionNotSupported),
        Refusal("version 0.9", "GET / HTTP/0.9\r\n", .unsupportedVersion("HTTP/0.9"), .versionNotSupported),
        Refusal("bare LF", "GET / HTTP/1.1\nHost: h\r\n\r\n", .bareLineFeed),
        Refusal("bare LF at once", "\nGET / HTTP/1.1\r\n", .bareLineFeed),
        Refusal("bare LF in the fields", "GET / HTTP/1.1\r\nHost: h\n\r\n", .bareLineFeed),
        Refusal("bare LF at the end", "GET / HTTP/1.1\r\nHost: h\r\n\n", .bareLineFeed),
        Refusal("bare CR", "GET / HTTP/1.1\rHost: h\r\n\r\n", .bareCarriageReturn),
        Refusal("bare CR at once", "\rG", .bareCarriageReturn),
        Refusal("bare CR in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\rc\r\n\r\n", .bareCarriageReturn),
        Refusal("bare CR in a name", "GET / HTTP/1.1\r\nA\rb: c\r\n\r\n", .bareCarriageReturn),
        Refusal("two CR", "GET / HTTP/1.1\r\nHost: h\r\r\n\r\n", .bareCarriageReturn),
        Refusal("empty lines", String(repeating: "\r\n", count: 9), .tooManyEmptyLines(limit: 8)),
        Refusal("folded", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n", .foldedLine),
        Refusal("folded first", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", .foldedLine),
        Refusal("folded with tab", "GET / HTTP/1.1\r\nHost: h\r\n\tc\r\n\r\n", .foldedLine),
        Refusal("no colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", .missingColon),
        Refusal("no name", "GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n", .emptyFieldName),
        Refusal("space before colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n", .spaceBeforeColon),
        Refusal("tab before colon", "GET / HTTP/1.1\r\nHost\t: h\r\n\r\n", .spaceBeforeColon),
        Refusal("bracket in name", "GET / HTTP/1.1\r\nA[: h\r\n\r\n", .malformedFieldName),
        Refusal("non-ASCII in name", "GET / HTTP/1.1\r\nA\u{E9}: h\r\n\r\n", .malformedFieldName),
        Refusal("NUL in value", "GET / HTTP/1.1\r\nA: \u{0}\r\n\r\n", .controlCharacterInValue),
        Refusal("escape in value", "GET / HTTP/1.1\r\nA: \u{1B}[1m\r\n\r\n", .controlCharacterInValue),
        Refusal("DEL in value", "GET / HTTP/1.1\r\nA: \u{7F}\r\n\r\n", .controlCharacterInValue),
        Refusal("no Host", "GET / HTTP/1.1\r\n\r\n", .missingHost),
        Refusal("no Host, absolute", "GET http://h/ HTTP/1.1\r\n\r\n", .missingHost),
        Refusal("two Hosts", "GET / HTTP/1.1\r\nHost: h\r\nhost: h\r\n\r\n", .repeatedHost),
        Refusal("two Hosts in 1.0", "GET / HTTP/1.0\r\nHost: h\r\nhost: h\r\n\r\n", .repeatedHost),
    ]

    static let malformedHosts = [
        "", "a b", "a, b", "a,b", "a/b", "u@h", "h:x", "h:-1", "h:65536", "h:99999999999999999999", "h:80:80", ":80",
        "[::1", "[]", "[g]", "[::1]x", "[::1]:x", "h#", "h?", "h\\", "h%", "h%2", "h%zz", "\u{E9}", "\"h\"", "http://h",
    ]

    static let framings: [Refusal] = [
        Refusal("both", "Content-Length: 3\r\nTransfer-Encoding: chunked", .lengthAndTransferEncoding),
        Refusal("two lengths", "Content-Length: 3\r\nContent-Length: 5", .repeatedContentLength),
        Refusal("the same length twice", "Content-Length: 3\r\nContent-Length: 3", .repeatedContentLength),
        Refusal("a list of lengths", "Content-Length: 5, 5", .repeatedContentLength),
        Refusal("a list of different lengths", "Content-Length: 5, 6", .repeatedContentLength),
        Refusal("plus", "Content-Length: +5", .malformedContentLength),
        Refusal("minus", "Content-Length: -5", .malformedContentLength),
        Refusal("minus zero", "Content-Length: -0", .malformedContentLength),
        Refusal("hexadecimal", "Content-Length: 0x5", .malformedContentLength),
        Refusal("octal", "Content-Length: 0o5", .malformedContentLength),
        Refusal("underscore", "Content-Length: 1_0", .malformedContentLength),
        Refusal("inner space", "Content-Length: 1 0", .malformedContentLength),
        Refusal("fraction", "Content-Length: 5.0", .malformedContentLength),
        Refusal("no length", "Content-Length:", .malformedContentLength),
        Refusal("Arabic digit", "Content-Length: \u{D9}\u{A5}", .malformedContentLength),
        Refusal("2^63", "Content-Length: 9223372036854775808", .contentLengthTooBig),
        Refusal("twenty digits", "Content-Length: 99999999999999999999", .contentLengthTooBig),
        Refusal("2^63-1", "Content-Length: 9223372036854775807", .bodyTooLarge(limit: 16 << 20), .contentTooLarge),
        Refusal("17 MB", "Content-Length: 17000000", .bodyTooLarge(limit: 16 << 20), .contentTooLarge),
        Refusal("gzip", "Transfer-Encoding: gzip", .chunkedNotLast),
        Refusal("identity", "Transfer-Encoding: identity", .chunkedNotLast),
        Refusal("xchunked", "Transfer-Encoding: xchunked", .chunkedNotLast),
        Refusal(
            "gzip, chunked",
            "Transfer-Encoding: gzip, chunked",
            .unsupportedTransferEncoding("gzip"),
            .notImplemented
        ),
        Refusal("chunked, gzip", "Transfer-Encoding: chunked, gzip", .chunkedNotLast),
        Refusal("chunked twice", "Transfer-Encoding: chunked, chunked", .chunkedNotLast),
        Refusal("two fields", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", .repeatedTransferEncoding),
        Refusal("parameters", "Transfer-Encoding: chunked;a=b", .malformedTransferEncoding),
        Refusal("leading comma", "Transfer-Encoding: , chunked", .malformedTransferEncoding),
        Refusal("trailing comma", "Transfer-Encoding: chunked,", .malformedTransferEncoding),
        Refusal("no coding", "Transfer-Encoding:", .malformedTransferEncoding),
        Refusal("vertical tab", "Transfer-Encoding: \u{B}chunked", .controlCharacterInValue),
        Refusal("quotes", "Transfer-Encoding: \"chunked\"", .malformedTransferEncoding),
        Refusal(
            "expectation",
            "Content-Length: 3\r\nExpect: 200-ok",
            .unknownExpectation("200-ok"),
            .expectationFailed
        ),
        Refusal(
            "two expectations",
            "Content-Length: 3\r\nExpect: 100-continue, x",
            .unknownExpectation("x"),
            .expectationFailed
        ),
    ]

    static let chunkFaults: [Refusal] = [
        Refusal("plus", "+5\r\n", .malformedChunkSize),
        Refusal("minus", "-5\r\n", .malformedChunkSize),
        Refusal("prefix", "0x5\r\n", .malformedChunkSize),
        Refusal("underscore", "1_0\r\n", .malformedChunkSize),
        Refusal("leading space", " 5\r\n", .malformedChunkSize),
        Refusal("trailing space", "5 \r\n", .malformedChunkSize),
        Refusal("nothing", "\r\n", .malformedChunkSize),
        Refusal("no digits", "x\r\n", .malformedChunkSize),
        Refusal("seventeen digits", "FFFFFFFFFFFFFFFF0\r\n", .chunkSizeTooBig),
        Refusal("seventeen zeros", "00000000000000000\r\n", .chunkSizeTooBig),
        Refusal("2^63", "8000000000000000\r\n", .chunkSizeTooBig),
        Refusal("2^63-1", "7FFFFFFFFFFFFFFF\r\n", .bodyTooLarge(limit: 16 << 20), .contentTooLarge),
        Refusal("sum overflows", "1\r\na\r\n7FFFFFFFFFFFFFFF\r\n", .bodyTooLarge(limit: 16 << 20), .contentTooLarge),
        Refusal("bare LF", "5\nhello\r\n", .bareLineFeed),
        Refusal("bare CR", "5;a\rb\r\n", .bareCarriageReturn),
        Refusal("semicolon alone", "5;\r\n", .malformedChunkExtension),
        Refusal("extension no token", "5;a[=b\r\n", .malformedChunkExtension),
        Refusal("extension without value", "5;a=\r\n", .malformedChunkExtension),
        Refusal("quote not closed", "5;a=\"b\r\n", .malformedChunkExtension),
        Refusal("NUL in extension", "5;a=\"\u{0}\"\r\n", .malformedChunkExtension),
        Refusal("text behind extension", "5;a b\r\n", .malformedChunkExtension),
        Refusal("too short", "5\r\nhello!!\r\n", .missingChunkEnd),
        Refusal("no line end", "5\r\nhello0\r\n\r\n", .missingChunkEnd),
        Refusal("LF behind data", "5\r\nhello\n0\r\n\r\n", .missingChunkEnd),
        Refusal("CR behind data", "5\r\nhello\r0\r\n\r\n", .missingChunkEnd),
        Refusal("trailer without colon", "0\r\nabc\r\n\r\n", .missingColon),
        Refusal("trailer folded", "0\r\nA: b\r\n c\r\n\r\n", .foldedLine),
        Refusal("trailer LF", "0\r\n\n", .bareLineFeed),
    ]

    @Test(arguments: refusals)
    func `Bytes that are no request are refused`(_ refusal: Refusal) {
        expect(refusal, wire(refusal.bytes))
    }

    @Test(arguments: malformedHosts)
    func `A malformed Host is refused`(_ host: String) {
        let bytes = wire("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        expect(Refusal(host, "", .malformedHost), bytes)
    }

    @Test(arguments: [
        "h", "h:", "h:80", "a-b_c.d~", "127.0.0.1:65535", "[::1]", "[::1]:80", "[::ffff:1.2.3.4]", "x%20y",
    ])
    func `A well-formed Host is taken`(_ host: String) {
        let transcript = WireTranscript(wire("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n"))
        #expect(transcript.requests.first?.authority == host)
    }

    @Test(arguments: framings)
    func `A body whose end is in doubt is refused`(_ refusal: Refusal) {
        expect(refusal, wire("POST / HTTP/1.1\r\nHost: h\r\n\(refusal.bytes)\r\n\r\nhello"))
    }

    @Test(arguments: chunkFaults)
    func `A malformed chunk is refused`(_ refusal: Refusal) {
        expect(refusal, wire("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(refusal.bytes)"))
    }

    @Test func `HTTP 1.0 has no transfer codings and no expectations`() {
        let coded = WireTranscript(wire("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
        #expect(coded.refusal?.reason == .transferEncodingInHTTP10)
        let expecting = WireTranscript(wire("POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: x\r\n\r\na"))
        #expect(expecting.requests.first?.expectsContinue == false)
    }

    @Test func `A refusal knows the line, the method and the target, and says them`() throws {
        let bytes = wire("PUT /x?y HTTP/1.1\r\nHost: h\r\nA : b\r\n\r\n")
        let refusal = try #require(WireTranscript(bytes).refusal)
        #expect(refusal.line == 3)
        #expect(refusal.method == .put)
        #expect(refusal.target == "/x?y")
        #expect(
            refusal.description
                == "400: whitespace precedes the colon in a header line (line 3 of the message head)"
        )
    }

    @Test func `After a refusal nothing more is read`() {
        var parser = HTTPRequestParser()
        var input = InputBuffer(wire("GET /\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"))
        let first = parser.next(&input)
        #expect(parser.phase == .refused)
        do {
            let step = parser.next(&input)
            #expect(step == first)
        }
    }

    private func expect(_ refusal: Refusal, _ bytes: [UInt8], _ place: SourceLocation = #_sourceLocation) {
        let whole = WireTranscript(bytes)
        #expect(whole.refusal?.reason == refusal.reason, sourceLocation: place)
        #expect(whole.refusal?.status == refusal.status, sourceLocation: place)
        #expect(whole.refusal?.sentence.isEmpty == false, sourceLocation: place)
        #expect(whole.requests.isEmpty, sourceLocation: place)
        #expect(WireTranscript(bytes, pieces: [1]) == whole, "byte by byte", sourceLocation: place)
    }
}
