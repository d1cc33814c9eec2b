import HTTPCodec
import Testing

struct RequestAcceptanceTests {
    private func only(_ text: String, _ place: SourceLocation = #_sourceLocation) throws -> HTTPRequest {
        let whole = WireTranscript(wire(text))
        #expect(whole.refusal == nil, sourceLocation: place)
        #expect(whole.requests.count == 1, sourceLocation: place)
        #expect(WireTranscript(wire(text), pieces: [1]) == whole, "byte by byte", sourceLocation: place)
        return try #require(whole.requests.first, sourceLocation: place)
    }

    @Test func `A request keeps what was sent`() throws {
        let request = try only(
            "GET /a%2Fb//c?x=1&y=%20?z HTTP/1.1\r\nhOsT: h:8080\r\nAccept:*/*\r\nX:   two words \t\r\nEmpty:\r\n\r\n"
        )
        #expect(request.method == .get)
        #expect(request.target == "/a%2Fb//c?x=1&y=%20?z")
        #expect(request.path == "/a%2Fb//c")
        #expect(request.query == "x=1&y=%20?z")
        #expect(request.authority == "h:8080")
        #expect(request.version == .http11)
        #expect(request.framing == .none)
        #expect(request.fields.map(\.name) == ["hOsT", "Accept", "X", "Empty"])
        #expect(request.fields.map(\.value) == ["h:8080", "*/*", "two words", ""])
    }

    @Test(
        arguments: [
            ("/", "/", nil, nil), ("/?", "/", "", nil), ("//a", "//a", nil, nil), ("/a?b?c", "/a", "b?c", nil),
            ("http://o:1/p?q", "/p", "q", "o:1"), ("HTTPS://o", "/", nil, "o"), ("http://o?q", "/", "q", "o"),
            ("http://[::1]:80/", "/", nil, "[::1]:80"), ("/{a}|[b]\\\"", "/{a}|[b]\\\"", nil, nil),
            ("/%zz", "/%zz", nil, nil),
        ] as [(String, String, String?, String?)]
    )
    func `Targets of each form are split`(target: String, path: String, query: String?, authority: String?) throws {
        let request = try only("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(request.target == target)
        #expect(request.path == path)
        #expect(request.query == query)
        #expect(request.authority == authority ?? "h")
        let built = HTTPRequest(target: target, fields: ["Host": "h"])
        #expect(built.path == path && built.query == query && built.authority == authority ?? "h")
    }

    @Test(arguments: ["*", "http://h"])
    func `OPTIONS may ask the whole server`(target: String) throws {
        let request = try only("OPTIONS \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(request.path == "*")
    }

    @Test func `A method is case-sensitive and may be anything`() throws {
        #expect(try only("get / HTTP/1.1\r\nHost: h\r\n\r\n").method == HTTPMethod(rawValue: "get"))
        #expect(try only("A!#$%&'*+-.^_`|~9 / HTTP/1.1\r\nHost: h\r\n\r\n").method.rawValue == "A!#$%&'*+-.^_`|~9")
    }

    @Test(arguments: [
        ("1.1", "", true), ("1.1", "Connection: close\r\n", false), ("1.1", "Connection: Keep-Alive\r\n", true),
        ("1.1", "Connection: upgrade, CLOSE\r\n", false), ("1.1", "Connection: x\r\nConnection: close\r\n", false),
        ("1.1", "Connection: closed\r\n", true), ("1.0", "", false), ("1.0", "Connection: keep-alive\r\n", true),
        ("1.0", "Connection: keep-alive, close\r\n", false), ("1.2", "", true),
    ])
    func `The connection lives on as version and fields say`(version: String, fields: String, livesOn: Bool) throws {
        #expect(try only("GET / HTTP/\(version)\r\nHost: h\r\n\(fields)\r\n").keepsAlive == livesOn)
    }

    @Test func `HTTP 1.0 needs no Host`() throws {
        let request = try only("GET / HTTP/1.0\r\n\r\n")
        #expect(request.version == .http10)
        #expect(request.authority == nil)
    }

    @Test(arguments: ["5", "005", "00000000000000000000000000000005"])
    func `A body of known length is read and the next request behind it`(length: String) {
        let text =
            "POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\nhelloGET /2 HTTP/1.1\r\nHost: h\r\n\r\n"
        let whole = WireTranscript(wire(text))
        #expect(whole.requests.map(\.path) == ["/1", "/2"])
        #expect(whole.requests.first?.body == Array("hello".utf8))
        #expect(whole.heads.map(\.path) == ["/1"])
        #expect(whole.heads.first?.framing == .length(5))
        #expect(WireTranscript(wire(text), pieces: [1]) == whole)
    }

    @Test func `A length of zero is no body`() throws {
        let request = try only("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n")
        #expect(request.framing == .length(0))
        #expect(!request.expectsContinue)
    }

    @Test(arguments: ["chunked", "Chunked", "CHUNKED \t"])
    func `A chunked body is joined, its extensions ignored and its trailers kept apart`(coding: String) throws {
        let text = """
            POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \(coding)\r\n\r\n\
            5\r\nhello\r\n01;a;b=c;d="e\\"f;"\r\n \r\n0000A ; a = b\r\n\r\n\r\nworld\r\r\n\
            0;x\r\nX-Sum: 1\r\nContent-Length: 9\r\n\r\n
            """
        let request = try only(text)
        #expect(request.body == Array("hello \r\n\r\nworld\r".utf8))
        #expect(request.trailers == ["X-Sum": "1", "Content-Length": "9"])
        #expect(request.fields["Content-Length"] == nil)
        #expect(request.framing == .chunked)
    }

    @Test func `Empty lines before a request line are skipped, and between requests too`() {
        let one = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        let text = "\r\n\r\n" + one + "\r\n" + one
        let whole = WireTranscript(wire(text))
        #expect(whole.requests.count == 2)
        #expect(WireTranscript(wire(text), pieces: [1]) == whole)
    }

    @Test func `Pipelined requests come out in order`() {
        let text = (1...50).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined()
        let whole = WireTranscript(wire(text))
        #expect(whole.requests.map(\.path) == (1...50).map { "/\($0)" })
        #expect(WireTranscript(wire(text), pieces: [7]) == whole)
    }

    @Test func `A waiting client is known at the head`() {
        var parser = HTTPRequestParser()
        var input = InputBuffer(wire("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n"))
        guard case .head(let head) = parser.next(&input) else {
            Issue.record("no head")
            return
        }
        #expect(head.expectsContinue)
        #expect(parser.phase == .body)
        do {
            let step = parser.next(&input)
            #expect(step == .needsMoreBytes)
        }
        input.append(wire("ok"))
        guard case .complete(let request) = parser.next(&input) else {
            Issue.record("not complete")
            return
        }
        #expect(request.body == wire("ok"))
        #expect(parser.phase == .idle)
    }

    @Test func `Bytes beyond ASCII in a value are kept, as UTF-8 or one by one`() throws {
        let request = try only("GET / HTTP/1.1\r\nHost: h\r\nA: \u{C3}\u{A9}\r\nB: \u{E9}\r\n\r\n")
        #expect(request.fields["a"] == "é")
        #expect(request.fields["b"] == "\u{E9}")
        #expect(request.fields.bytes(of: "b").map(Array.init) == [0xE9])
    }

    @Test(
        arguments: [
            (["Host": "a.example:8080"], "http://a.example:8080"), ([:], "http://localhost"),
            (["Host": "a", "X-Forwarded-Proto": "https"], "https://a"),
            (
                ["Host": "a", "X-Forwarded-Proto": "HTTPS, http", "X-Forwarded-Host": "b.example, c"],
                "https://b.example"
            ),
            (["Host": "a", "Forwarded": #"for=1.2.3.4;Proto=https;host="b:1", proto=http;host=c"#], "https://b:1"),
            (["Host": "[::1]:80", "X-Forwarded-Proto": "javascript"], "http://[::1]:80"),
            (["Host": "a", "X-Forwarded-Host": "b/c?d"], "http://a"), (["Host": "a", "Forwarded": ";=;,"], "http://a"),
        ] as [(HTTPFields, String)]
    )
    func `The base is what the client has reached, also through a proxy`(fields: HTTPFields, base: String) {
        #expect(HTTPRequest(target: "/x", fields: fields).base == base)
    }

    @Test func `Phases tell whether anything has begun`() {
        var parser = HTTPRequestParser()
        var input = InputBuffer()
        do {
            let step = parser.next(&input)
            #expect(step == .needsMoreBytes)
        }
        #expect(parser.phase == .idle)
        input.append(wire("\r\n"))
        do {
            let step = parser.next(&input)
            #expect(step == .needsMoreBytes)
        }
        #expect(parser.phase == .idle)
        input.append(wire("G"))
        do {
            let step = parser.next(&input)
            #expect(step == .needsMoreBytes)
        }
        #expect(parser.phase == .head)
    }
}
