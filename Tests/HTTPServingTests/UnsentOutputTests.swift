import EventLoops
import HTTPCodec
import HTTPServing
import TestSupport
import Testing

/// Clients that do not read what they have asked for.
@Suite(.timeLimit(.minutes(15)))
struct `Unsent output` {
    private static let megabyte = 1_000_000

    @Test(arguments: SelectorKind.allCases)
    func `has a bound in sum, and gives its room back`(kind: SelectorKind) async throws {
        var configuration = HTTPServer.Configuration(selector: kind)
        configuration.unsentOutput = 50 * Self.megabyte
        let handler = ScriptedHandler()
        try await withServer(configuration, handler) { _, port in
            for _ in 0..<3 {
                let (slow, slower) = (
                    try HTTPClient(port: port, limits: HTTPLimits(body: 64 << 20)),
                    try HTTPClient(port: port, limits: HTTPLimits(body: 64 << 20))
                )
                // More than the kernel's buffers hold.
                try slow.send(HTTPRequest(target: "/zeros/\(30 * Self.megabyte)"))
                // When a later request is answered, this one has been, as far as the kernel takes the response.
                let later = try HTTPClient(port: port)
                #expect(try later.exchange(HTTPRequest(target: "/")).status == .ok)
                try slower.send(HTTPRequest(target: "/zeros/\(30 * Self.megabyte)"))
                #expect(throws: HTTPClientFailure.self) { _ = try slower.receive() }
                #expect(try slow.receive().body.count == 30 * Self.megabyte)
            }
            #expect(handler.closings.withLock { $0 } == Array(repeating: configuration.unsentOutput, count: 3))
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `of a body that is in memory anyway does not count`(kind: SelectorKind) async throws {
        var configuration = HTTPServer.Configuration(selector: kind)
        configuration.unsentOutput = 10 * Self.megabyte
        let body = [UInt8](repeating: 0, count: 30 * Self.megabyte)
        let handler = ScriptedHandler { _, _, _ in
            var response = OutgoingResponse(HTTPResponse(status: .ok, body: body), exchange: 1)
            response.sharesBody = true
            return .now(response)
        }
        try await withServer(configuration, handler) { _, port in
            let client = try HTTPClient(port: port, limits: HTTPLimits(body: 64 << 20))
            #expect(try client.exchange(HTTPRequest(target: "/")).body.count == body.count)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `of a stream has a bound`(kind: SelectorKind) async throws {
        var configuration = HTTPServer.Configuration(selector: kind)
        configuration.unsentStream = 20 * Self.megabyte
        let promises = PromiseBox()
        let handler = ScriptedHandler { _, _, promise in promises.put(promise) }
        try await withServer(configuration, handler) { _, port in
            let part = [UInt8](repeating: 0x61, count: 10 * Self.megabyte)
            for (count, isClosed) in [(2, false), (8, true)] {
                let client = try HTTPClient(port: port, limits: HTTPLimits(body: 64 << 20))
                try client.send(HTTPRequest(target: "/"))
                let promise = try await promises.take()
                var response = OutgoingResponse(HTTPResponse(status: .ok), exchange: 1)
                response.isStream = true
                promise.fulfil(response)
                for number in 1...count { promise.send(part: part, isLast: number == count) }
                if isClosed {
                    #expect(throws: HTTPClientFailure.self) { _ = try client.receive() }
                } else {
                    #expect(try client.receive().body.count == count * part.count)
                }
            }
            #expect(handler.closings.withLock { $0 } == [configuration.unsentStream])
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `of a stream has the same bound before its head`(kind: SelectorKind) async throws {
        var configuration = HTTPServer.Configuration(selector: kind)
        configuration.unsentStream = 20 * Self.megabyte
        let promises = PromiseBox()
        let handler = ScriptedHandler { _, _, promise in promises.put(promise) }
        try await withServer(configuration, handler) { _, port in
            let part = [UInt8](repeating: 0x61, count: 10 * Self.megabyte)
            for (count, isClosed) in [(2, false), (8, true)] {
                let client = try HTTPClient(port: port, limits: HTTPLimits(body: 128 << 20))
                try client.send(HTTPRequest(target: "/"))
                let promise = try await promises.take()
                for number in 1...count { promise.send(part: part, isLast: number == count) }
                var response = OutgoingResponse(HTTPResponse(status: .ok), exchange: 1)
                response.isStream = true
                promise.fulfil(response)
                if isClosed {
                    #expect(throws: HTTPClientFailure.self) { _ = try client.receive() }
                } else {
                    #expect(try client.receive().body.count == count * part.count)
                }
            }
            #expect(handler.closings.withLock { $0 } == [configuration.unsentStream])
        }
    }

    /// Answers each byte of a client that has upgraded its connection with a part.
    private final class Answering: HTTPHandler {
        static let part = [UInt8](repeating: 0x61, count: megabyte)
        let count = Shared(0)
        private let promise = Shared<ResponsePromise?>(nil)

        func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
            self.promise.withLock { $0 = promise }
            var response = OutgoingResponse(HTTPResponse(status: HTTPStatus(101)), exchange: 1)
            (response.isStream, response.upgrades) = (true, true)
            return .now(response)
        }

        func received(_ bytes: [UInt8], exchange: UInt64) {
            count.withLock { $0 += bytes.count }
            for _ in bytes { promise.withLock { $0 }?.send(part: Self.part) }
        }

        func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
            OutgoingResponse(HTTPResponse(status: refusal.status))
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `of a WebSocket keeps the server from reading more`(kind: SelectorKind) async throws {
        let handler = Answering()
        var configuration = HTTPServer.Configuration(selector: kind)
        // On a busy machine, the client is slow as well.
        configuration.deadlines.write = .seconds(3_600)
        let server = HTTPServer(configuration: configuration, handler: handler)
        try await run(server) { _, port in
            let client = try HTTPClient(port: port, limits: HTTPLimits(body: 64 << 20))
            try client.send(HTTPRequest(target: "/"))
            while try client.peek().isEmpty {}
            let total = 40
            for number in 0..<total {
                try client.send([0x61])
                // Bytes that are read together are answered together.
                for _ in 0..<100 where handler.count.withLock({ $0 }) <= number { await Task.yield() }
            }
            let unread = handler.count.withLock { $0 }
            var length = 0
            while length < total * Self.megabyte { length = try client.peek().count }
            #expect(handler.count.withLock { $0 } == total)
            #expect(unread < total)
            client.close()
        }
    }
}
