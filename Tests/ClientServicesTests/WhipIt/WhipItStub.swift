import ClientServices
import Foundation
import Synchronization
import Testing

/// A server of WhipIt that says what a test tells it to.
actor WhipItStub: Transport {
    enum Answer: Sendable {
        case reply(Int, String)
        case failure(TransportFailure)

        static func refusal(_ status: Int) -> Answer { .reply(status, #"{"message": "no"}"#) }
    }

    private var routes: [String: @Sendable (_ request: TransportRequest, _ count: Int) -> Answer] = [:]
    private var held: (paths: Set<String>, count: Int)?
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var requests: [TransportRequest] = []

    /// Answers one route, such as `GET /post`; the count begins with 1.
    func on(_ route: String, _ answer: @escaping @Sendable (TransportRequest, Int) -> Answer) {
        routes[route] = answer
    }

    /// Keeps the first requests of these routes until there are so many of them.
    func hold(_ routes: Set<String>, until count: Int) { held = (routes, count) }

    func requests(_ route: String) -> [TransportRequest] { requests.filter { $0.line == route } }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
        requests.append(request)
        let count = requests(request.line).count
        if let held, held.paths.contains(request.line) {
            if waiting.count + 1 < held.count {
                await withCheckedContinuation { waiting.append($0) }
            } else {
                self.held = nil
                for continuation in waiting { continuation.resume() }
                waiting = []
            }
        }
        switch routes[request.line]?(request, count) ?? .refusal(444) {
        case .reply(let status, let body):
            return TransportReply(
                status: status,
                fields: ["Content-Type": "application/json"],
                body: Data(body.utf8)
            )
        case .failure(let failure): throw failure
        }
    }
}

extension TransportRequest {
    var access: String? { fields["Authorization"] }
}

/// A clock that jumps over every pause.
final class JumpingClock: ServiceClock {
    private let state = Mutex((now: Date(timeIntervalSince1970: 1_703_000_000), pauses: [TimeInterval]()))

    var now: Date { state.withLock { $0.now } }
    var pauses: [TimeInterval] { state.withLock { $0.pauses } }

    func sleep(seconds: TimeInterval) async throws { pass(seconds) }

    func pass(_ seconds: TimeInterval) {
        state.withLock {
            $0.now += seconds
            $0.pauses.append(seconds)
        }
    }
}

/// A service before a stub, with somebody signed in.
struct WhipItBench {
    let stub = WhipItStub()
    let clock = JumpingClock()
    let store: MemoryTokenStore
    let service: WhipItService

    init(_ tokens: Tokens? = Tokens(access: "A1", refresh: "R1")) throws {
        store = MemoryTokenStore(tokens)
        service = WhipItService(
            baseURL: try #require(URL(string: "https://whipit.example/")),
            appKey: "key",
            store: store,
            transport: stub,
            clock: clock
        )
    }

    /// The access token is expired unless it is the new one, which a refresh gives.
    func expire(_ routes: [String], body: String) async {
        for route in routes {
            await stub.on(route) { request, _ in request.access == "A2" ? .reply(200, body) : .refusal(419) }
        }
        await stub.on("GET /refresh") { _, _ in .reply(200, #"{"token": "A2"}"#) }
    }

    /// The events of a session that has been watched from now on until it was told that somebody has signed in.
    func events(during work: () async throws -> Void) async throws -> [SessionEvent] {
        let events = await service.events()
        try await work()
        await stub.on("POST /login") { _, _ in
            .reply(200, #"{"_id": "656f1c0ac91bb39798f0a001", "token": "A9", "refreshToken": "R9"}"#)
        }
        try await service.signIn(email: "mina@example.com", password: "whip1234")
        var told: [SessionEvent] = []
        for await event in events {
            if event == .signedIn { break }
            told.append(event)
        }
        return told
    }
}
