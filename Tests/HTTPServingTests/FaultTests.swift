import EventLoops
import HTTPCodec
import HTTPServing
import Testing

/// Each fault, as a raw client sees it.
@Suite(.timeLimit(.minutes(15)))
struct FaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var fault: WireFault
        var failure: HTTPClientFailure
        var testDescription: String { "\(fault)" }
    }

    static let cases = [
        Case(fault: .reset, failure: .reset),
        Case(fault: .empty, failure: .closedWithoutResponse),
        Case(fault: .truncated(bodyBytes: 0), failure: .truncated(received: 0, announced: 1_000)),
        Case(fault: .truncated(bodyBytes: 123), failure: .truncated(received: 123, announced: 1_000)),
        Case(fault: .truncated(bodyBytes: 5_000), failure: .truncated(received: 999, announced: 1_000)),
        Case(fault: .truncated(bodyBytes: -1), failure: .truncated(received: 0, announced: 1_000)),
    ]

    private func handler(_ fault: WireFault, delay: Duration = .zero) -> ScriptedHandler {
        ScriptedHandler { _, _, _ in
            let response = HTTPResponse(status: .ok, body: ScriptedHandler.pattern(1_000))
            return .now(OutgoingResponse(response, delivery: Delivery(delay: delay, fault: fault), exchange: 5))
        }
    }

    @Test(arguments: SelectorKind.allCases, cases)
    func `A client sees the fault that was asked for`(kind: SelectorKind, scenario: Case) async throws {
        let handler = handler(scenario.fault)
        try await withServer(HTTPServer.Configuration(selector: kind), handler) { _, port in
            let client = try HTTPClient(port: port)
            #expect(throws: scenario.failure) { try client.exchange(HTTPRequest(target: "/")) }
            #expect(!client.isOpen)
            let endings = await handler.endings(1)
            #expect(endings == [ScriptedHandler.Ending(exchange: 5, outcome: .faulted)])
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A broken chunk size comes after a part of the body`(kind: SelectorKind) async throws {
        let handler = handler(.malformedChunk)
        try await withServer(HTTPServer.Configuration(selector: kind), handler) { _, port in
            let client = try HTTPClient(port: port)
            do {
                _ = try client.exchange(HTTPRequest(target: "/"))
                Issue.record("the response was taken for whole")
            } catch HTTPClientFailure.malformed {
                #expect(await handler.endings(1).map(\.outcome) == [.faulted])
            }
            try client.connect()
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let bytes = try client.receiveRaw()
            #expect(bytes.text.contains("Transfer-Encoding: chunked\r\n"))
            #expect(bytes.text.hasSuffix("\r\nnot-a-size\r\n"))
        }
    }

    @Test func `HTTP 1_0 has no chunks to break, so half a body is missing`() async throws {
        try await withServer(HTTPServer.Configuration(), handler(.malformedChunk)) { _, port in
            let client = try HTTPClient(port: port)
            client.expectResponse(to: .get)
            try client.send("GET / HTTP/1.0\r\n\r\n")
            #expect(throws: HTTPClientFailure.truncated(received: 500, announced: 1_000)) { try client.receive() }
        }
    }

    @Test func `Garbage arrives byte for byte`() async throws {
        let garbage: [UInt8] = [0, 255, 13, 10, 7]
        try await withServer(HTTPServer.Configuration(), handler(.garbage(garbage))) { _, port in
            let client = try HTTPClient(port: port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receiveRaw() == garbage)
            try client.connect()
            do {
                _ = try client.exchange(HTTPRequest(target: "/"))
                Issue.record("garbage was taken for a response")
            } catch HTTPClientFailure.malformed(let sentence) {
                #expect(!sentence.isEmpty)
            }
        }
    }

    @Test func `HEAD has no body to break, so the connection just ends`() async throws {
        try await withServer(HTTPServer.Configuration(), handler(.truncated(bodyBytes: 3))) { _, port in
            let client = try HTTPClient(port: port)
            let response = try client.exchange(HTTPRequest(method: .head, target: "/"))
            #expect(response.fields["Content-Length"] == "1000")
            #expect(try client.isOpen == false || client.receiveRaw() == [])
        }
    }

    @Test func `An empty body is announced as more than it is, so that something is missing`() async throws {
        let handler = ScriptedHandler { _, _, _ in
            .now(OutgoingResponse(HTTPResponse(status: .ok), delivery: Delivery(fault: .truncated(bodyBytes: 0))))
        }
        try await withServer(HTTPServer.Configuration(), handler) { _, port in
            let client = try HTTPClient(port: port)
            #expect(throws: HTTPClientFailure.truncated(received: 0, announced: 1)) {
                try client.exchange(HTTPRequest(target: "/"))
            }
        }
    }

    @Test func `A reset loses even what the client is sending`() async throws {
        try await withServer(HTTPServer.Configuration(), handler(.reset)) { _, port in
            let client = try HTTPClient(port: port)
            client.expectResponse(to: .get)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(throws: HTTPClientFailure.reset) { try client.receive() }
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A response that never comes is held until the client leaves`(kind: SelectorKind) async throws {
        let handler = handler(.never)
        let time = ManualTime()
        let configuration = HTTPServer.Configuration(selector: kind, time: time)
        try await withServer(configuration, handler) { _, port in
            let client = try HTTPClient(port: port)
            try client.send(HTTPRequest(target: "/"))
            await time.untilLoopAwaits(in: .seconds(60))
            time.advance(by: .seconds(86_400))
            await time.untilLoopsRest()
            #expect(try client.peek() == [])
            client.close()
            #expect(await handler.endings(1).map(\.outcome) == [.clientGone])
        }
    }

    @Test func `A response that never comes ends when the server stops`() async throws {
        let handler = handler(.never)
        let box = PromiseBox()
        let holding = ScriptedHandler { request, peer, promise in
            _ = box.put(promise)
            return handler.respond(to: request, from: peer, with: promise)
        }
        let server = HTTPServer(handler: holding)
        try server.start()
        let client = try HTTPClient(port: try server.addListener(port: 0))
        try client.send(HTTPRequest(target: "/"))
        _ = try await box.take()
        await server.stop(graceful: .seconds(3600))
        #expect(throws: HTTPClientFailure.closedWithoutResponse) { try client.receive() }
        #expect(await holding.endings(1).map(\.outcome) == [.faulted])
    }
}
