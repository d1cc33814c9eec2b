import Basics
import EventLoops
import HTTPCodec
import TestSupport
import Testing

@testable import HTTPServing

/// How much earlier than they were read requests may have come, on a clock that the tests move themselves.
@Suite(.timeLimit(.minutes(15)))
struct LagTests {
    /// More than the server accepts in one turn, and fewer than the shortest queue that a system has by default (128).
    private static let burst = 100

    @Test(arguments: SelectorKind.allCases)
    func `Connections that wait in the kernel's queue report the moment at which it began to fill`(
        kind: SelectorKind
    ) async throws {
        let time = ManualTime()
        let peers = Shared<[String: Peer]>([:])
        let clients = Lock<[HTTPClient]>([])
        let handler = ScriptedHandler { request, peer, promise in
            peers.withLock { $0[request.path] = peer }
            if request.path == "/busy" {
                // On the loop's thread, so that the server accepts none of them meanwhile.
                clients.withLock { clients in
                    for number in 0..<Self.burst {
                        guard let client = try? HTTPClient(port: request.serverPort) else { return }
                        try? client.send(HTTPRequest(target: "/\(number)"))
                        clients.append(client)
                    }
                }
                time.advance(by: .milliseconds(100))
            }
            return ScriptedHandler.route(request, peer, promise)
        }
        let server = HTTPServer(
            configuration: HTTPServer.Configuration(selector: kind, time: time),
            handler: handler,
            acceptFailure: {
                // Each connection takes its time.
                time.advance(by: .milliseconds(1))
                return nil
            }
        )
        try await run(server) { _, port in
            #expect(try HTTPClient(port: port).exchange(HTTPRequest(target: "/busy")).text == "/busy")
            try clients.withLock { clients throws in
                try #require(clients.count == Self.burst)
                for client in clients { #expect(try client.receive().status == .notFound) }
            }
            let since = try #require(peers.withLock { $0["/busy"] }).arrival
            for number in 0..<Self.burst {
                let peer = try #require(peers.withLock { $0["/\(number)"] })
                #expect(peer.lag > .milliseconds(100))
                #expect(peer.arrival.advanced(by: .zero - peer.lag) == since, "connection \(number)")
            }
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `Requests on a quiet connection report no lag, however late the first one comes`(
        kind: SelectorKind
    ) async throws {
        let time = ManualTime()
        let peers = Shared<[Peer]>([])
        let handler = ScriptedHandler { request, peer, promise in
            peers.withLock { $0.append(peer) }
            return ScriptedHandler.route(request, peer, promise)
        }
        let configuration = HTTPServer.Configuration(selector: kind, time: time)
        try await withServer(configuration, handler) { _, port in
            let client = try HTTPClient(port: port)
            // The limit of an idle connection: the server has accepted it.
            await time.untilLoopAwaits(in: configuration.deadlines.idle)
            for count in 1...3 {
                time.advance(by: .seconds(20))
                await time.untilLoopsRest()
                #expect(try client.exchange(HTTPRequest(target: "/")).text == "hello")
                let seen = peers.withLock { $0 }
                #expect(seen.count == count)
                #expect(seen.last?.lag == .zero)
                #expect(seen.last?.arrival == time.now())
            }
        }
    }
}

extension HTTPRequest {
    /// The port in the Host field.
    fileprivate var serverPort: UInt16 { fields["Host"].flatMap { UInt16($0.split(separator: ":").last ?? "") } ?? 0 }
}
