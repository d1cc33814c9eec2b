import Basics
import EventLoops
import HTTPCodec
import TestSupport
import Testing

@testable import HTTPServing

/// A head is known when all of its bytes came before on the same listener, and only then.
struct KnownHeadsTests {
    private static func find(_ text: String, in heads: inout KnownHeads, listener: Int = 0) -> KnownHeads.Finding {
        Array(text.utf8).withUnsafeBufferPointer { heads.find($0, listener: listener) }
    }

    private static func keep(_ text: String, in heads: inout KnownHeads, listener: Int = 0) throws {
        _ = find(text, in: &heads, listener: listener)
        guard case .repeated(let slot) = find(text, in: &heads, listener: listener) else {
            Issue.record("it did not come before")
            return
        }
        heads.keep(Array(text.utf8), in: slot, listener: listener, HTTPRequest(target: "/a"), nil)
    }

    private static let head = "GET /a HTTP/1.1\r\nHost: a\r\nX-Number: 1234567\r\n\r\n"

    @Test func `The third time it is known`() throws {
        var heads = KnownHeads()
        guard case .new = Self.find(Self.head, in: &heads) else { throw Unexpected() }
        try Self.keep(Self.head, in: &heads)
        guard case .known(let known) = Self.find(Self.head, in: &heads) else { throw Unexpected() }
        #expect(known.request.target == "/a")
    }

    @Test(arguments: 0..<50)
    func `One byte makes another head`(_ position: Int) throws {
        var heads = KnownHeads()
        try Self.keep(Self.head, in: &heads)
        var bytes = Array(Self.head.utf8)
        guard bytes.indices.contains(position) else { return }
        bytes[position] ^= 1
        let finding = bytes.withUnsafeBufferPointer { heads.find($0, listener: 0) }
        if case .known = finding { Issue.record("it is known") }
        if case .known = Self.find(Self.head, in: &heads, listener: 1) { Issue.record("it is known elsewhere") }
    }

    @Test(arguments: ["", "\r\n\r\n", "GET / HTTP/1.1\r\n", String(repeating: "x", count: 3_000) + "\r\n\r\n"])
    func `What is no head, or is large, is not kept`(_ text: String) throws {
        var heads = KnownHeads()
        for _ in 0..<3 {
            guard case .new = Self.find(text, in: &heads) else { throw Unexpected() }
        }
    }

    private struct Unexpected: Error {}
}

/// A server that has seen a request before answers it as it did, whatever comes between and with it.
struct RepeatedRequestTests {
    private final class Finding: RoutedHead {
        let intake = BodyIntake()
        let target: String

        init(_ target: String) {
            self.target = target
        }
    }

    /// Has a prepared response for `/ready`, and counts how often it was asked for what.
    private final class Handler: HTTPHandler {
        struct Counts {
            var (routed, known, responded, ended) = (0, 0, 0, 0)
        }

        let counts = Shared(Counts())
        private let message = PreparedResponse(status: .ok, fields: ["X-A": "b"], body: Array("ready".utf8))

        func route(_ head: HTTPRequest, from peer: Peer, known: (any RoutedHead)?) -> (any RoutedHead)? {
            counts.withLock { $0.routed += 1 }
            return Finding(head.target)
        }

        func respond(
            to request: HTTPRequest,
            isKnown: Bool,
            routed: (any RoutedHead)?,
            from peer: Peer,
            with promise: ResponsePromise
        ) -> Served {
            counts.withLock { $0.known += isKnown ? 1 : 0 }
            guard let message, (routed as? Finding)?.target == "/ready" else {
                return respond(to: request, from: peer, with: promise)
            }
            var response = OutgoingResponse(.prepared(message, dated: 0), exchange: 1)
            response.isNotedAsSent = true
            return .now(response)
        }

        func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
            counts.withLock { $0.responded += 1 }
            let text = "\(request.target) \(request.body.count)"
            return .now(OutgoingResponse(HTTPResponse(status: .ok, contentType: "text/plain", body: text)))
        }

        func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
            OutgoingResponse(HTTPResponse(status: refusal.status))
        }

        func ended(exchange: UInt64, outcome: ExchangeOutcome) {
            counts.withLock { $0.ended += 1 }
        }
    }

    @Test func `Requests that repeat are answered like those that do not`() async throws {
        let handler = Handler()
        let server = HTTPServer(handler: handler)
        try server.start()
        let port = try server.addListener(port: 0)
        let client = try HTTPClient(port: port)
        func get(_ target: String) throws -> HTTPReceivedResponse {
            client.expectResponse(to: .get)
            try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return try client.receive()
        }
        for turn in 1...5 {
            let ready = try get("/ready")
            #expect(ready.body == Array("ready".utf8) && ready.fields["X-A"] == "b")
            #expect(ready.fields["Date"] == "Thu, 01 Jan 1970 00:00:00 GMT")
            #expect(try get("/other").text == "/other 0")
            #expect(try get("/other?turn=\(turn)").text == "/other?turn=\(turn) 0")
        }
        // The end of the last response is told after its last byte.
        await server.stop()
        let counts = handler.counts.withLock { $0 }
        #expect(counts.responded == 10 && counts.known == 6, "the third request of two targets is known")
        #expect(counts.ended == 10, "what is noted as sent is not reported")
    }

    @Test func `Pipelined requests are each answered once, in their order`() async throws {
        let handler = Handler()
        let server = HTTPServer(handler: handler)
        try server.start()
        let client = try HTTPClient(port: try server.addListener(port: 0))
        let head = "GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let last = "GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        for _ in 0..<5 { client.expectResponse(to: .get) }
        try client.send(head)
        #expect(try client.receive().body == Array("ready".utf8))
        try client.send(head + head + head + last)
        for _ in 0..<3 { #expect(try client.receive().body == Array("ready".utf8)) }
        #expect(try client.receive().text == "/last 0")
        await server.stop()
    }
}
