import Basics
import HTTPServing
import HTTPWire
import SocketIO
import Testing

@testable import ContractRunner

/// Requests over sockets in a time that jumps.
@Suite(.timeLimit(.minutes(15)))
struct `A network in a jumping time` {
    /// Answers by path, and notes the connections that were used; a class, because loops and tests share it.
    private final class Paths: HTTPHandler {
        let connections = Lock<[UInt64]>([])

        func reply(to refusal: HTTPRefusal, from peer: Peer) -> HTTPReply {
            HTTPReply(HTTPResponse(status: refusal.status, contentType: "text/plain", body: refusal.sentence))
        }

        func respond(to request: HTTPRequest, from peer: Peer, with promise: ReplyPromise) -> Served {
            connections.withLock { $0.append(peer.connection) }
            var delivery = Delivery()
            switch request.path {
            case "/slow": delivery.delay = .seconds(20)
            case "/never": delivery.fault = .never
            case "/reset": delivery.fault = .reset
            case "/empty": delivery.fault = .empty
            case "/cut": delivery.fault = .truncatedBody(sent: 2)
            case "/garbage": delivery.fault = .garbage([1, 2, 3, 13, 10])
            case "/closing": delivery.closesConnection = true
            default: break
            }
            let response = HTTPResponse(status: .ok, contentType: "text/plain", body: "hello")
            return .now(HTTPReply(response, delivery: delivery))
        }
    }

    private let time = JumpingTime()
    private let paths = Paths()

    /// Uses a network with a server at its other end, while time passes.
    private func use(
        _ work: @escaping @Sendable (any RawNetwork, _ origin: String) async throws -> Void
    ) async throws {
        let server = HTTPServer(
            configuration: HTTPServer.Configuration(deadlines: JumpingTime.deadlines, time: time),
            handler: paths
        )
        try server.start()
        let port = try server.addListener(host: "127.0.0.1", port: 0)
        let network = try LoopNetwork(in: time)
        let end = await WorkWatch(time: time, network: network).see {
            try await work(network.line(of: 0), "http://127.0.0.1:\(port)")
        }
        network.close()
        await server.stop()
        if case .threw(let error) = end { throw error }
    }

    @Test func `brings an answer that takes its time without waiting for it`() async throws {
        let start = time.now()
        try await use { network, origin in
            let response = try await network.send(.get("/slow"), to: origin, timeout: 30)
            #expect(response.body == Array("hello".utf8))
        }
        #expect(start.duration(to: time.now()) >= .seconds(20))
    }

    @Test func `lets no time pass while a long body is on its way`() async throws {
        let start = time.now()
        try await use { network, origin in
            let request = HTTPRequest(method: .post, target: "/", body: [UInt8](repeating: 7, count: 12_000_000))
            for _ in 0..<5 {
                let response = try await network.send(request, to: origin, timeout: 30)
                #expect(response.body == Array("hello".utf8))
            }
        }
        #expect(start.duration(to: time.now()) < .seconds(1))
    }

    @Test(arguments: [
        ("/never", HTTPClientFailure.timedOut), ("/slow", .timedOut), ("/reset", .reset),
        ("/empty", .closedWithoutReply), ("/cut", .truncated(received: 2, announced: 5)),
    ])
    func `says exactly what went wrong`(path: String, failure: HTTPClientFailure) async throws {
        try await use { network, origin in
            await #expect(throws: failure) {
                try await network.send(.get(path), to: origin, timeout: 10)
            }
        }
    }

    @Test func `knows what is no HTTP, and a port where nobody listens`() async throws {
        try await use { network, origin in
            await #expect(throws: HTTPClientFailure.self) {
                try await network.send(.get("/garbage"), to: origin, timeout: 10)
            }
            await #expect(throws: HTTPClientFailure.refused) {
                try await network.send(.get("/"), to: "http://127.0.0.1:1", timeout: 10)
            }
        }
    }

    @Test func `uses a connection again until somebody has closed it`() async throws {
        try await use { network, origin in
            for path in ["/", "/", "/closing", "/"] {
                _ = try await network.send(.get(path), to: origin, timeout: 10)
            }
        }
        let connections = paths.connections.withLock { $0 }
        #expect(connections.count == 4)
        #expect(Set(connections.prefix(3)).count == 1)
        #expect(connections[3] != connections[0])
    }

    @Test func `leaves at once when its client no longer wants the answer`() async throws {
        let start = time.now()
        try await use { [time] network, origin in
            let task = Task { try await network.send(.get("/never"), to: origin, timeout: 60) }
            try await time.sleep(for: .seconds(1))
            task.cancel()
            _ = await task.result
        }
        #expect(start.duration(to: time.now()) < .seconds(2))
    }
}

extension HTTPRequest {
    fileprivate static func get(_ path: String) -> HTTPRequest { HTTPRequest(method: .get, target: path) }
}
