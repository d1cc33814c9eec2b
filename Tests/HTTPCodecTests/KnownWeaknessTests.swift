import HTTPCodec
import Testing

/// Where a well-liked small server was measured to go wrong; each row was a real answer of it.
struct KnownWeaknessTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: String
        /// 200 stands for a request that is taken.
        let status: HTTPStatus

        init(_ what: String, _ status: HTTPStatus, _ bytes: String) {
            testDescription = what
            self.status = status
            self.bytes = bytes
        }
    }

    private static let get = "GET / HTTP/1.1\r\nHost: h\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: h\r\n"

    static let rows: [Row] = [
        Row("a header of 5 KB", 200, get + "X: \(String(repeating: "x", count: 5_000))\r\n\r\n"),
        Row("a header of 40 KB", 200, get + "X: \(String(repeating: "x", count: 40_000))\r\n\r\n"),
        Row("a header of 1 MB", 431, get + "X: \(String(repeating: "x", count: 1_000_000))\r\n\r\n"),
        Row("5,000 headers", 431, get + String(repeating: "X: y\r\n", count: 5_000) + "\r\n"),
        Row("two lengths", 400, post + "Content-Length: 3\r\nContent-Length: 5\r\n\r\nhello"),
        Row("a length with a sign", 400, post + "Content-Length: +5\r\n\r\nhello"),
        Row("a chunk size with a sign", 400, post + "Transfer-Encoding: chunked\r\n\r\n+3\r\nabc\r\n0\r\n\r\n"),
        Row("a space before the colon", 400, post + "Content-Length : 5\r\n\r\nhello"),
        Row("a header without a colon", 400, get + "X\r\n\r\n"),
        Row("a folded header", 400, get + "X: a\r\n b\r\n\r\n"),
        Row("NUL in a value", 400, get + "X: a\0b\r\n\r\n"),
        Row("gzip, chunked", 501, post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        Row("two Transfer-Encoding", 400, post + "Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Row("no Host", 400, "GET / HTTP/1.1\r\n\r\n"),
        Row("two Hosts", 400, get + "Host: h\r\n\r\n"),
        Row("a lower-case method", 200, "get / HTTP/1.1\r\nHost: h\r\n\r\n"),
        Row("version FOO/9", 505, "GET / FOO/9\r\nHost: h\r\n\r\n"),
        Row("a version beyond ours", 505, "GET / HTTP/3.0\r\nHost: h\r\n\r\n"),
        Row("an unknown expectation", 417, post + "Content-Length: 1\r\nExpect: tea\r\n\r\nx"),
        Row("bare LF", 400, "GET / HTTP/1.1\nHost: h\n\n"),
    ]

    @Test(arguments: rows)
    func `The answer is what a correct server gives`(_ row: Row) {
        let whole = WireTranscript(wire(row.bytes))
        #expect(whole.refusal?.status ?? 200 == row.status)
        #expect(whole.requests.count == (row.status == 200 ? 1 : 0))
        #expect(WireTranscript(wire(row.bytes), pieces: [1]) == whole)
    }

    @Test func `A body that looks like a request is a body`() {
        let inner = Self.get + "\r\n"
        let body = String(repeating: inner, count: 1_000)
        let chunk = "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
        let text =
            Self.post + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
            + Self.post + "Transfer-Encoding: chunked\r\n\r\n" + chunk + inner
        let whole = WireTranscript(wire(text), pieces: [4_096])
        #expect(whole.requests.map(\.method) == [.post, .post, .get])
        #expect(whole.requests.map(\.body.count) == [body.utf8.count, body.utf8.count, 0])
    }

    @Test func `Limits may be as good as none`() {
        let limits = HTTPLimits(
            method: .max,
            target: .max,
            fieldSection: .max,
            fieldCount: .max,
            body: .max,
            leadingEmptyLines: .max,
            chunkExtensions: .max,
            trailerSection: .max
        )
        let text =
            String(repeating: "M", count: 100) + " /\(String(repeating: "a", count: 10_000)) HTTP/1.1\r\nHost: h\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\n0\r\n\r\n"
        #expect(WireTranscript(wire(text), limits: limits).requests.count == 1)
        let huge = WireTranscript(wire(Self.post + "Content-Length: \(Int.max)\r\n\r\nx"), limits: limits)
        #expect(huge.phase == .body)
        let chunks = Self.post + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n7FFFFFFFFFFFFFFF\r\n"
        #expect(WireTranscript(wire(chunks), limits: limits).refusal?.status == 413)
    }

    @Test func `Limits of nothing refuse and do not trap`() {
        let limits = HTTPLimits(
            method: -1,
            target: -1,
            fieldSection: -1,
            fieldCount: -1,
            body: -1,
            leadingEmptyLines: -1,
            chunkExtensions: -1,
            trailerSection: -1
        )
        #expect(WireTranscript(wire(Self.get + "\r\n"), limits: limits).refusal != nil)
    }
}
