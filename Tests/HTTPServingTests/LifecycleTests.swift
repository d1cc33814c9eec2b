import Basics
import Dispatch
import EventLoops
import HTTPCodec
import TestSupport
import Testing

@testable import HTTPServing

/// How a server begins, endures and ends.
@Suite(.timeLimit(.minutes(15)))
struct LifecycleTests {
    /// Whether a port refuses connections.
    ///
    /// A port that a server has closed may be another test's by now, so a test asks about several.
    private func isClosed(_ port: UInt16) -> Bool {
        do throws(HTTPClientFailure) {
            _ = try HTTPClient(port: port)
            return false
        } catch {
            return error == .refused
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `Stopping finishes what runs and closes the rest`(kind: SelectorKind) async throws {
        let box = PromiseBox()
        let handler = ScriptedHandler { _, _, promise in box.put(promise) }
        let server = HTTPServer(configuration: HTTPServer.Configuration(loops: 2, selector: kind), handler: handler)
        try server.start()
        let ports = try (0..<3).map { _ in try server.addListener(port: 0) }
        let idle = try HTTPClient(port: ports[0])
        let busy = try HTTPClient(port: ports[0])
        try busy.send(HTTPRequest(target: "/"))
        let promise = try await box.take()
        server.beginStopping(graceful: .seconds(3600))
        // The idle connection's end says that stopping has begun.
        #expect(try idle.receiveRaw() == [])
        promise.fulfil(OutgoingResponse(HTTPResponse(status: 202), exchange: 1))
        let response = try busy.receive()
        #expect(response.status == HTTPStatus(202))
        #expect(!response.keepsAlive)
        busy.close()
        await server.untilStopped()
        #expect(server.connectionCount == 0)
        #expect(ports.contains(where: isClosed))
    }

    @Test func `Stopping waits no longer than its grace`() async throws {
        let box = PromiseBox()
        let handler = ScriptedHandler { _, _, promise in box.put(promise) }
        let server = HTTPServer(handler: handler)
        try server.start()
        let client = try HTTPClient(port: try server.addListener(port: 0))
        try client.send(HTTPRequest(target: "/"))
        let promise = try await box.take()
        await server.stop()
        #expect(throws: HTTPClientFailure.closedWithoutResponse) { try client.receive() }
        promise.fulfil(OutgoingResponse(HTTPResponse(status: .ok), exchange: 4))
        #expect(handler.orphans.withLock { $0 } == [promise])
        #expect(await handler.endings(2).last == ScriptedHandler.Ending(exchange: 4, outcome: .clientGone))
        await server.stop()
    }

    @Test func `A server has settled when it has noted the end of each response that clients have`() async throws {
        let handler = PausedNotes()
        let server = HTTPServer(configuration: HTTPServer.Configuration(loops: 2), handler: handler)
        try server.start()
        let client = try HTTPClient(port: try server.addListener(port: 0))
        #expect(try client.exchange(HTTPRequest(target: "/")).status == .ok)
        async let settled: Void = server.settle()
        #expect(!handler.hasNoted.withLock { $0 })
        handler.pause.signal()
        await settled
        #expect(handler.hasNoted.withLock { $0 })
        await server.stop()
        await server.settle()
    }

    /// A handler that notes the end of a response when the test lets it.
    private final class PausedNotes: HTTPHandler {
        let pause = DispatchSemaphore(value: 0)
        let hasNoted = Lock(false)

        func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
            .now(OutgoingResponse(HTTPResponse(status: .ok), exchange: 1))
        }

        func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
            OutgoingResponse(HTTPResponse(status: refusal.status))
        }

        func ended(exchange: UInt64, outcome: ExchangeOutcome) {
            pause.wait()
            hasNoted.withLock { $0 = true }
        }
    }

    @Test func `A removed listener lets its own clients go and nobody else's`() async throws {
        try await withServer { server, port in
            let others = try (0..<3).map { _ in try server.addListener(port: 0, tag: 1) }
            let stays = try HTTPClient(port: port)
            let leaves = try HTTPClient(port: others[0])
            #expect(try leaves.exchange(HTTPRequest(target: "/")).text == "hello")
            #expect(try stays.exchange(HTTPRequest(target: "/")).text == "hello")
            server.removeListener(tag: 1)
            #expect(try leaves.receiveRaw() == [])
            #expect(try stays.exchange(HTTPRequest(target: "/")).text == "hello")
            #expect(others.contains(where: isClosed))
        }
    }

    @Test func `A port in use is said so`() async throws {
        try await withServer { server, port in
            #expect(throws: SystemError("bind", .addressInUse)) { try server.addListener(port: port) }
        }
    }

    @Test func `A server that does not run takes no listeners`() async throws {
        let server = HTTPServer(handler: ScriptedHandler())
        #expect(throws: SystemError.self) { try server.addListener(port: 0) }
        await server.stop()
    }

    @Test(
        arguments: SelectorKind.allCases,
        [ErrorNumber.processFileLimit, .systemFileLimit, .noBufferSpace]
    )
    func `Running out of descriptors is survived`(kind: SelectorKind, error: ErrorNumber) async throws {
        let time = ManualTime()
        let refusals = Shared(3)
        let server = HTTPServer(
            configuration: HTTPServer.Configuration(selector: kind, time: time),
            handler: ScriptedHandler(),
            acceptFailure: {
                refusals.withLock { count in
                    guard count > 0 else { return nil }
                    count -= 1
                    return error
                }
            }
        )
        try await run(server) { _, port in
            let client = try HTTPClient(port: port)
            try client.send(HTTPRequest(target: "/"))
            for _ in 0..<3 {
                await time.untilLoopAwaits(in: .milliseconds(100))
                time.advance(by: .milliseconds(100))
            }
            #expect(try client.receive().text == "hello")
            #expect(refusals.withLock { $0 } == 0)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `Beyond the greatest number of connections, new ones wait until one ends`(kind: SelectorKind) async throws {
        // The clock stands still: only the end of a connection lets the next one in.
        let configuration = HTTPServer.Configuration(maximumConnections: 2, selector: kind, time: ManualTime())
        try await withServer(configuration) { server, port in
            let first = try HTTPClient(port: port)
            let second = try HTTPClient(port: port)
            #expect(try first.exchange(HTTPRequest(target: "/")).text == "hello")
            #expect(try second.exchange(HTTPRequest(target: "/")).text == "hello")
            let third = try HTTPClient(port: port)
            try third.send(HTTPRequest(target: "/"))
            #expect(try second.exchange(HTTPRequest(target: "/")).text == "hello")
            #expect(try third.peek() == [])
            #expect(server.connectionCount == 2)
            first.close()
            #expect(try third.receive().text == "hello")
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `Hundreds of connections are served side by side`(kind: SelectorKind) async throws {
        try await withServer(HTTPServer.Configuration(loops: 2, selector: kind)) { server, port in
            let clients = try (0..<400).map { _ in try HTTPClient(port: port) }
            for round in 0..<3 {
                for (index, client) in clients.enumerated() {
                    try client.send(HTTPRequest(target: "/\(round)/\(index)"))
                }
                for (index, client) in clients.enumerated() {
                    #expect(try client.receive().text == "/\(round)/\(index)")
                }
            }
            #expect(server.connectionCount == 400)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `Connections that come and go leave nothing behind`(kind: SelectorKind) async throws {
        let handler = ScriptedHandler()
        try await withServer(HTTPServer.Configuration(selector: kind), handler) { server, port in
            for number in 0..<200 {
                let client = try HTTPClient(port: port)
                #expect(try client.exchange(HTTPRequest(target: "/")).text == "hello")
                if number.isMultiple(of: 2) { client.reset() } else { client.close() }
            }
        }
    }
}
