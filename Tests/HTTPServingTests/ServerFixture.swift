import EventLoops
import HTTPCodec
import HTTPServing
import TestSupport
import Testing

/// A handler made of a closure, which remembers how its responses ended.
final class ScriptedHandler: HTTPHandler {
    typealias Answer = @Sendable (HTTPRequest, Peer, ResponsePromise) -> Served

    private let answer: Answer
    private let intake: BodyIntake
    /// Which promises were for clients that left.
    let orphans = Shared<[ResponsePromise]>([])
    /// The limits for which connections were closed.
    let closings = Shared<[Int]>([])
    /// How many more times the client is found at work.
    let work = Shared(0)
    private let endings = Shared<[Ending]>([])
    private let waiters = Shared<[Waiter]>([])

    struct Ending: Hashable, Sendable {
        var exchange: UInt64
        var outcome: ExchangeOutcome
    }

    private struct Waiter {
        var count: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    init(intake: BodyIntake = BodyIntake(), answer: @escaping Answer = ScriptedHandler.route) {
        self.intake = intake
        self.answer = answer
    }

    func willReadBody(of head: HTTPRequest, from peer: Peer) -> BodyIntake { intake }

    func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
        answer(request, peer, promise)
    }

    func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
        OutgoingResponse(HTTPResponse(status: refusal.status, contentType: "text/plain", body: refusal.sentence))
    }

    func clientLeft(_ peer: Peer, before promise: ResponsePromise) {
        orphans.withLock { $0.append(promise) }
        ended(exchange: 0, outcome: .clientGone)
    }

    func closed(_ peer: Peer, unsent limit: Int) {
        closings.withLock { $0.append(limit) }
    }

    var isClientAtWork: Bool {
        work.withLock { left in
            left -= 1
            return left >= 0
        }
    }

    func ended(exchange: UInt64, outcome: ExchangeOutcome) {
        endings.withLock { $0.append(Ending(exchange: exchange, outcome: outcome)) }
        resumeWaiters()
    }

    /// The endings so far, once there are so many.
    func endings(_ count: Int) async -> [Ending] {
        await withCheckedContinuation { continuation in
            waiters.withLock { $0.append(Waiter(count: count, continuation: continuation)) }
            resumeWaiters()
        }
        return endings.withLock { $0 }
    }

    private func resumeWaiters() {
        let count = endings.withLock { $0.count }
        let satisfied = waiters.withLock { waiters in
            let satisfied = waiters.filter { $0.count <= count }
            waiters.removeAll { $0.count <= count }
            return satisfied
        }
        for waiter in satisfied { waiter.continuation.resume() }
    }

    /// `/` says hello, `/echo` sends back, `/bytes/N` and `/zeros/N` send so many bytes; everything else is unknown.
    static let route: Answer = { request, _, _ in .now(OutgoingResponse(response(to: request), exchange: 1)) }

    static func response(to request: HTTPRequest) -> HTTPResponse {
        let parts = request.path.split(separator: "/")
        if parts.isEmpty { return HTTPResponse(status: .ok, contentType: "text/plain", body: "hello") }
        if parts == ["echo"] { return HTTPResponse(status: .ok, body: request.body) }
        if parts.count == 2, parts[0] == "zeros", let count = Int(parts[1]) {
            return HTTPResponse(status: .ok, body: [UInt8](repeating: 0, count: count))
        }
        if parts.count == 2, parts[0] == "bytes", let count = Int(parts[1]) {
            return HTTPResponse(status: .ok, body: pattern(count))
        }
        return HTTPResponse(status: .notFound, contentType: "text/plain", body: request.path)
    }

    /// Bytes in which a missing or doubled stretch shows.
    static func pattern(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var number = 0
        while number < count {
            bytes[number] = UInt8(truncatingIfNeeded: number &* 31 &+ number >> 8)
            number += 1
        }
        return bytes
    }
}

/// Keeps a promise for later; a class, because the test and the loop share it.
final class PromiseBox: Sendable {
    private let promises = Shared<[ResponsePromise]>([])
    private let waiters = Shared<[CheckedContinuation<Void, Never>]>([])

    func put(_ promise: ResponsePromise) -> Served {
        promises.withLock { $0.append(promise) }
        resumeIfThere()
        return .later
    }

    /// The next promise, once the server has made it.
    func take() async throws -> ResponsePromise {
        await withCheckedContinuation { continuation in
            waiters.withLock { $0.append(continuation) }
            resumeIfThere()
        }
        return try #require(promises.withLock { $0.isEmpty ? nil : $0.removeFirst() })
    }

    private func resumeIfThere() {
        guard promises.withLock({ !$0.isEmpty }) else { return }
        let waiting = waiters.withLock { waiters in
            defer { waiters = [] }
            return waiters
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Runs a server on a free port for the length of the body.
func withServer(
    _ configuration: HTTPServer.Configuration = HTTPServer.Configuration(),
    _ handler: ScriptedHandler = ScriptedHandler(),
    _ body: (HTTPServer, UInt16) async throws -> Void
) async throws {
    let server = HTTPServer(configuration: configuration, handler: handler)
    try await run(server, body)
}

func run(_ server: HTTPServer, _ body: (HTTPServer, UInt16) async throws -> Void) async throws {
    try server.start()
    do {
        try await body(server, try server.addListener(port: 0))
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
    #expect(server.connectionCount == 0)
    #expect(server.failure == nil)
}

extension HTTPReceivedResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}
