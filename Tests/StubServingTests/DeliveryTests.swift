import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// Faults, latency and slow lines as a raw client meets them.
@Suite(.timeLimit(.minutes(15)))
struct DeliveryTests {
    struct FaultCase: Sendable, CustomTestStringConvertible {
        var kind: String
        var isSeen: @Sendable (HTTPClientFailure) -> Bool
        var commits: Bool
        var testDescription: String { kind }
    }

    static let faults = [
        FaultCase(kind: "reset", isSeen: { $0 == .reset }, commits: false),
        FaultCase(kind: "empty", isSeen: { $0 == .closedWithoutResponse }, commits: false),
        FaultCase(kind: "lost", isSeen: { $0 == .closedWithoutResponse }, commits: true),
        FaultCase(kind: "truncated", isSeen: { $0 == .truncated(received: 5, announced: 10) }, commits: true),
        FaultCase(
            kind: "malformedChunk",
            isSeen: { if case .malformed = $0 { true } else { false } },
            commits: true
        ),
        FaultCase(kind: "garbage", isSeen: { if case .malformed = $0 { true } else { false } }, commits: true),
    ]

    private func backend(_ response: String) -> String {
        """
        {
          "backend": "Deliveries", "clock": { "frozen": true },
          "states": { "order": ["open", "paid"] },
          "routes": {
            "POST /pay": { \(response), "text": "0123456789", "then": [{ "state": { "order": "paid" } }] },
            "GET /fine": { "text": "fine" }
          }
        }
        """
    }

    @Test(arguments: faults, SelectorKind.allCases)
    func `Each fault is seen as such, and has done its work or not`(fault: FaultCase, kind: SelectorKind) async throws {
        try await withStub(backend(#""fault": "\#(fault.kind)""#), { $0.selector = kind }) { stub in
            let client = try stub.client()
            let failure = #expect(throws: HTTPClientFailure.self) { try client.call(.post, "/pay") }
            #expect(failure.map(fault.isSeen) == true, "\(String(describing: failure))")
            #expect(try stub.admin(.get, "states")["states"]?["order"]?.string == (fault.commits ? "paid" : "open"))
            let exchange = try stub.admin(.get, "journal")["exchanges"]?[0]
            #expect(exchange?["fault"]?.string == fault.kind)
            #expect((exchange?["committed"] == nil) == fault.commits)
            #expect(try client.get("/fine").text == "fine")
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A refusal is held until the client is not at work any more`(kind: SelectorKind) async throws {
        let backend = #"""
            {
              "backend": "Refusals",
              "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
              "routes": { "GET /mine": { "requires": "access", "json": {} }, "GET /open": { "latency": "50ms", "json": {} } }
            }
            """#
        let isAtWork = Shared(true)
        try await withStub(backend) {
            ($0.selector, $0.refusalHold) = (kind, .milliseconds(50))
            $0.isClientAtWork = { isAtWork.withLock { $0 } }
        } _: { stub in
            let (refused, open) = (try stub.client(), try stub.client())
            try refused.send(HTTPRequest(target: "/mine"))
            try stub.untilDecided(1)
            try open.send(HTTPRequest(target: "/open"))
            try stub.untilDecided(2)
            for _ in 0..<12 { await stub.pass(.milliseconds(5)) }
            #expect(try open.receive().status == .ok)
            #expect(try refused.peek().isEmpty)
            isAtWork.withLock { $0 = false }
            await stub.pass(.milliseconds(5))
            #expect(try refused.receive().status.code == 401)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A response that never comes holds its connection and nothing else`(kind: SelectorKind) async throws {
        try await withStub(backend(#""fault": "never""#), { $0.selector = kind }) { stub in
            let client = try stub.client()
            try client.send(HTTPRequest(method: .post, target: "/pay"))
            try stub.untilDecided(1)
            await stub.pass(.seconds(3_600))
            #expect(try client.peek().isEmpty)
            #expect(try stub.client().get("/fine").text == "fine")
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["outcome"] == "open")
            await stub.server.stop(within: .zero)
            #expect(throws: HTTPClientFailure.closedWithoutResponse) { try client.receive() }
        }
    }

    @Test func `A fault can be armed for the next requests of a route`() async throws {
        try await withStub(backend(#""status": 201"#)) { stub in
            let client = try stub.client()
            try stub.admin(.post, "faults", ["fault": "lost", "route": "POST /pay", "times": 2])
            for _ in 0..<2 {
                #expect(throws: HTTPClientFailure.closedWithoutResponse) { try client.call(.post, "/pay") }
            }
            #expect(try client.call(.post, "/pay").code == 201)
            #expect(try stub.admin(.get, "faults")["armed"]?.array?.isEmpty == true)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `Latency waits on the machine's clock`(kind: SelectorKind) async throws {
        try await withStub(backend(#""latency": "80ms""#), { $0.selector = kind }) { stub in
            let client = try stub.client()
            try client.send(HTTPRequest(method: .post, target: "/pay"))
            await stub.time.untilLoopAwaits(in: .milliseconds(80))
            await stub.pass(.milliseconds(79))
            #expect(try client.peek().isEmpty)
            await stub.pass(.milliseconds(1))
            #expect(try client.receive().text == "0123456789")
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["waitMilliseconds"] == 80)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A body dribbles in pieces`(kind: SelectorKind) async throws {
        let backend = backend(#""dribble": { "chunks": 5, "over": "1s" }"#)
        try await withStub(backend, { ($0.selector, $0.logsExchanges) = (kind, false) }) { stub in
            let client = try stub.client()
            try client.send(HTTPRequest(method: .post, target: "/pay"))
            await stub.time.untilLoopAwaits(in: .milliseconds(200))
            var lengths: [Int] = []
            for _ in 0..<4 {
                await stub.pass(.milliseconds(200))
                lengths.append(try body(arrivedAt: client))
            }
            #expect(lengths == [2, 4, 6, 8])
            await stub.pass(.milliseconds(200))
            #expect(try client.receive().text == "0123456789")
        }
    }

    /// How much of a body has come; the server has written it before the test looks.
    private func body(arrivedAt client: HTTPClient) throws -> Int {
        let text = String(decoding: try client.peek(), as: UTF8.self)
        return text.utf8.count - (text.firstRange(of: "\r\n\r\n").map { text[..<$0.upperBound].utf8.count } ?? 0)
    }

    @Test(arguments: SelectorKind.allCases)
    func `A narrow line takes its time`(kind: SelectorKind) async throws {
        let backend = """
            {
              "backend": "Narrow",
              "routes": { "GET /large": { "bandwidth": { "down": "1kB/s" }, "text": "\(String(repeating: "x", count: 2_000))" } }
            }
            """
        try await withStub(backend, { ($0.selector, $0.logsExchanges) = (kind, false) }) { stub in
            let client = try stub.client()
            try client.send(HTTPRequest(target: "/large"))
            await stub.time.untilLoopAwaits(in: .milliseconds(20))
            await stub.pass(.milliseconds(500))
            #expect((480...520).contains(try client.peek().count))
            await stub.pass(.milliseconds(1_000))
            #expect((1_480...1_520).contains(try client.peek().count))
            await stub.pass(.milliseconds(1_000))
            #expect(try client.receive().body.count == 2_000)
        }
    }

    @Test func `Methods that a path does not have are told what it has`() async throws {
        try await withStub(backend(#""status": 200"#)) { stub in
            let client = try stub.client()
            let wrong = try client.get("/pay")
            #expect(wrong.code == 405)
            #expect(wrong.fields["Allow"] == "OPTIONS, POST")
            #expect(wrong.problem == "wrong-method")
            let options = try client.call(.options, "/fine")
            #expect(options.code == 204)
            #expect(options.fields["Allow"] == "GET, HEAD, OPTIONS")
            #expect(try client.call(.options, "*").fields["Allow"] == "GET, HEAD, OPTIONS, POST")
            let head = try client.call(.head, "/fine")
            #expect(head.code == 200)
            #expect(head.fields["Content-Length"] == "4")
            #expect(head.body.isEmpty)
            let strange = try client.call(HTTPMethod(rawValue: "BREW"), "/fine")
            #expect(strange.code == 405)
        }
    }

    @Test func `A request without a route hears of the nearest one`() async throws {
        try await withStub(backend(#""status": 200"#)) { stub in
            let response = try stub.client().get("/fin")
            #expect(response.code == 404)
            #expect(response.problem == "no-route")
            #expect(try response.json["nearest"]?["route"] == "GET /fine")
            let difference: JSONValue = #"the path contains "fin" where the route contains "fine""#
            #expect(try response.json["nearest"]?["difference"] == difference)
        }
    }

    @Test(arguments: [
        ("GET /fine HTTP/1.1\r\n\r\n", 400, "not-http"),
        ("GET /fine HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "not-http"),
        ("GET /\(String(repeating: "x", count: 9_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414, "too-large"),
        ("POST /pay HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n", 413, "too-large"),
    ])
    func `What is no request is refused with a problem`(bytes: String, status: Int, problem: String) async throws {
        try await withStub(backend(#""status": 200"#)) { stub in
            let client = try stub.client()
            client.expectResponse(to: .get)
            try client.send(bytes)
            let response = try client.receive()
            #expect(response.code == status)
            #expect(response.problem == problem)
            #expect(response.fields["Connection"] == "close")
            #expect(stub.log.text.contains("refused  \(status)"))
            #expect(try stub.client().get("/fine").text == "fine")
        }
    }

    @Test func `The start of a TLS handshake is refused with an alert, and the log has the reason`() async throws {
        try await withStub(backend(#""status": 200"#)) { stub in
            let client = try stub.client()
            try client.send("\u{16}\u{3}\u{1}\u{0}\u{5}\u{1}")
            // A fatal handshake_failure (RFC 8446, section 6.2).
            #expect(try client.receiveRaw() == [21, 3, 1, 0, 2, 2, 40])
            #expect(stub.log.text.contains("refused  400  the bytes are the start of a TLS handshake"))
        }
    }
}
