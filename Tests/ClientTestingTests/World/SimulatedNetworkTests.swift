import Basics
import ClientTesting
import EventLoops
import HTTPCodec
import HTTPServing
import Testing

/// Requests over a simulated network in a world.
@Suite struct `A simulated network` {
    /// Answers by path, and notes what it hears; a class, because the network and tests share it.
    private final class Paths: HTTPHandler {
        let connections = Lock<[UInt64]>([])
        let outcomes = Lock<[ExchangeOutcome]>([])
        let promises = Lock<[ResponsePromise]>([])
        let bodies = Lock<[Int]>([])
        let departures = Lock(0)

        func willReadBody(of head: HTTPRequest, from peer: Peer) -> BodyIntake {
            BodyIntake(bytesPerSecond: head.path == "/slow-upload" ? 1_000 : nil)
        }

        func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
            OutgoingResponse(HTTPResponse(status: refusal.status, contentType: "text/plain", body: refusal.sentence))
        }

        func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
            connections.withLock { $0.append(peer.connection) }
            bodies.withLock { $0.append(request.body.count) }
            var delivery = Delivery()
            switch request.path {
            case "/slow": delivery.delay = .seconds(20)
            case "/never": delivery.fault = .never
            case "/reset": delivery.fault = .reset
            case "/empty": delivery.fault = .empty
            case "/cut": delivery.fault = .truncated(bodyBytes: 2)
            case "/chunk": delivery.fault = .malformedChunk
            case "/garbage": delivery.fault = .garbage([1, 2, 3, 13, 10])
            case "/closing": delivery.closesConnection = true
            case "/dribble": delivery.pacing = .dribble(chunks: 5, over: .seconds(10))
            case "/thin": delivery.pacing = .bandwidth(bytesPerSecond: 10)
            case "/later":
                promises.withLock { $0.append(promise) }
                return .later
            default: break
            }
            let response = HTTPResponse(status: .ok, contentType: "text/plain", body: "hello")
            return .now(OutgoingResponse(response, delivery: delivery, exchange: 1))
        }

        func clientLeft(_ peer: Peer, before promise: ResponsePromise) { departures.withLock { $0 += 1 } }

        func ended(exchange: UInt64, outcome: ExchangeOutcome) { outcomes.withLock { $0.append(outcome) } }
    }

    private let world = World()
    private let paths = Paths()
    private let network: SimulatedNetwork
    private let port: UInt16

    init() throws {
        network = SimulatedNetwork(in: world)
        network.serve(paths)
        port = try network.addListener(host: "127.0.0.1", port: 0, tag: 3)
    }

    /// Sends a request as a client's code does.
    private func send(
        _ path: String,
        _ body: [UInt8] = [],
        of client: Int = 0,
        timeout: Duration = .seconds(60)
    ) async throws(HTTPClientFailure) -> HTTPResponse {
        try await network.send(
            HTTPRequest(method: body.isEmpty ? .get : .post, target: path, body: body),
            to: "127.0.0.1",
            port: port,
            of: client,
            timeout: timeout
        )
    }

    /// Uses the network in its world; returns how much time passed.
    private func use(_ work: @escaping @Sendable () async throws -> Void) async throws -> Duration {
        let start = world.now()
        switch try await world.run(work) {
        case .returned: return start.duration(to: world.now())
        case .threw(let error): throw error
        case let end:
            Issue.record("\(end)")
            return .zero
        }
    }

    @Test(arguments: [("/", 0), ("/slow", 20_000), ("/dribble", 10_000)])
    func `brings a response that takes its time without waiting for it`(path: String, milliseconds: Int) async throws {
        let passed = try await use {
            let response = try await send(path)
            #expect(response.body == Array("hello".utf8))
        }
        #expect(passed == .milliseconds(milliseconds + 2), "1 ms each way")
        #expect(paths.outcomes.withLock { $0 } == [.sent])
    }

    @Test func `sends no faster than the bandwidth, and takes an upload no faster than the server reads`() async throws
    {
        #expect(try await use { _ = try await send("/thin") } > .seconds(5))
        let upload = try await use { _ = try await send("/slow-upload", [UInt8](repeating: 7, count: 3_000)) }
        #expect(upload == .milliseconds(3_002))
        #expect(paths.bodies.withLock { $0.last } == 3_000)
    }

    @Test(arguments: [
        ("/never", HTTPClientFailure.timedOut, ExchangeOutcome.clientGone), ("/slow", .timedOut, .clientGone),
        ("/reset", .reset, .faulted), ("/empty", .closedWithoutResponse, .faulted),
        ("/cut", .truncated(received: 2, announced: 5), .faulted),
    ])
    func `says exactly what went wrong, to the client and to the server`(
        path: String,
        failure: HTTPClientFailure,
        outcome: ExchangeOutcome
    ) async throws {
        let passed = try await use {
            await #expect(throws: failure) { try await send(path, timeout: .seconds(10)) }
        }
        #expect(passed == (failure == .timedOut ? .seconds(10) : .milliseconds(2)))
        #expect(paths.outcomes.withLock { $0 } == [outcome])
    }

    @Test func `knows what is not HTTP, and a port where no server listens`() async throws {
        _ = try await use {
            for path in ["/garbage", "/chunk"] {
                await #expect(throws: HTTPClientFailure.self) { try await send(path) }
            }
            await #expect(throws: HTTPClientFailure.refused) {
                try await network.send(
                    HTTPRequest(method: .get, target: "/"),
                    to: "127.0.0.1",
                    port: 1,
                    of: 0,
                    timeout: .seconds(1)
                )
            }
        }
    }

    @Test func `uses a connection again until it is closed, and never that of another client`() async throws {
        _ = try await use {
            for path in ["/", "/", "/closing", "/"] { _ = try await send(path) }
            _ = try await send("/", of: 1)
        }
        let connections = paths.connections.withLock { $0 }
        try #require(connections.count == 5)
        #expect(Set(connections.prefix(3)).count == 1)
        #expect(Set(connections.suffix(3)).count == 3)
    }

    @Test func `opens a connection for each request that is under way at the same time`() async throws {
        let passed = try await use {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5 { group.addTask { _ = try await send("/slow") } }
                try await group.waitForAll()
            }
        }
        #expect(passed == .milliseconds(20_002))
        #expect(Set(paths.connections.withLock { $0 }).count == 5)
    }

    @Test func `leaves at once when its client no longer waits`() async throws {
        let passed = try await use { [world] in
            for path in ["/never", "/later"] {
                let task = Task { try await send(path) }
                try await world.sleep(for: .seconds(1))
                task.cancel()
                #expect(await task.result.failure == .closedWithoutResponse)
            }
        }
        #expect(passed == .seconds(2))
        #expect(paths.outcomes.withLock { $0 } == [.clientGone])
        #expect(paths.departures.withLock { $0 } == 1)
    }

    @Test func `brings a response that was promised, and refuses one that comes too late`() async throws {
        _ = try await use { [world] in
            async let answer = send("/later", timeout: .seconds(5))
            try await world.sleep(for: .seconds(1))
            paths.promises.withLock { $0 }.first?.fulfil(
                OutgoingResponse(HTTPResponse(status: .noContent), exchange: 2)
            )
            #expect(try await answer.status == .noContent)
            await #expect(throws: HTTPClientFailure.timedOut) { try await send("/later", timeout: .seconds(5)) }
            paths.promises.withLock { $0 }.last?.fulfil(OutgoingResponse(HTTPResponse(status: .noContent), exchange: 3))
        }
        #expect(paths.outcomes.withLock { $0 } == [.sent, .clientGone])
    }
}

extension Result where Success == HTTPResponse, Failure == any Error {
    fileprivate var failure: HTTPClientFailure? {
        if case .failure(let error) = self { error as? HTTPClientFailure } else { nil }
    }
}
