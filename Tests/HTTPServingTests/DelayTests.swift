import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import TestSupport
import Testing

/// Delays, paces and deadlines, on a clock that the tests move themselves.
@Suite(.timeLimit(.minutes(15)))
struct DelayTests {
    private func server(
        _ kind: SelectorKind,
        _ handler: ScriptedHandler = ScriptedHandler(),
        servesHalfClosedClients: Bool = false,
        _ body: (ManualTime, HTTPClient) async throws -> Void
    ) async throws {
        let time = ManualTime()
        let configuration = HTTPServer.Configuration(
            selector: kind,
            time: time,
            servesHalfClosedClients: servesHalfClosedClients
        )
        try await withServer(configuration, handler) { _, port in
            try await body(time, try HTTPClient(port: port))
        }
    }

    private func handler(_ delivery: Delivery, body: Int = 0) -> ScriptedHandler {
        ScriptedHandler { _, _, _ in
            let response = HTTPResponse(status: .ok, body: ScriptedHandler.pattern(body))
            return .now(OutgoingResponse(response, delivery: delivery, exchange: 9))
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A delayed response comes when its time has come and not before`(kind: SelectorKind) async throws {
        try await server(kind, handler(Delivery(delay: .seconds(2)))) { time, client in
            try client.send(HTTPRequest(target: "/"))
            await time.untilLoopAwaits(in: .seconds(2))
            time.advance(by: .milliseconds(1_999))
            await time.untilLoopsRest()
            #expect(try client.peek() == [])
            time.advance(by: .milliseconds(1))
            #expect(try client.receive().status == .ok)
        }
    }

    @Test(
        arguments: SelectorKind.allCases,
        [(0, 50), (1, 55), (3, 65), (1_000, 550)] as [(glances: Int, milliseconds: Int)]
    )
    func `A patient response comes later while the client is at work, but not for ever`(
        kind: SelectorKind,
        _ work: (glances: Int, milliseconds: Int)
    ) async throws {
        var delivery = Delivery(delay: .milliseconds(50))
        delivery.extraHold = .milliseconds(500)
        let handler = handler(delivery)
        handler.work.withLock { $0 = work.glances }
        try await server(kind, handler) { time, client in
            try client.send(HTTPRequest(target: "/"))
            await time.untilLoopAwaits(in: .milliseconds(50))
            time.advance(by: .milliseconds(50))
            for _ in 0..<(work.milliseconds - 50) / 5 {
                await time.untilLoopAwaits(in: .milliseconds(5))
                #expect(try client.peek() == [])
                time.advance(by: .milliseconds(5))
            }
            #expect(try client.receive().status == .ok)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A client that leaves a delayed response is noticed at once`(kind: SelectorKind) async throws {
        let handler = handler(Delivery(delay: .seconds(3600)))
        try await server(kind, handler) { time, client in
            try client.send(HTTPRequest(target: "/"))
            client.close()
            let endings = await handler.endings(1)
            #expect(endings == [ScriptedHandler.Ending(exchange: 9, outcome: .clientGone)])
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A client that leaves before a later response is noticed at once`(kind: SelectorKind) async throws {
        let box = PromiseBox()
        let handler = ScriptedHandler { _, _, promise in box.put(promise) }
        try await server(kind, handler) { time, client in
            try client.send(HTTPRequest(target: "/"))
            let promise = try await box.take()
            client.close()
            _ = await handler.endings(1)
            #expect(handler.orphans.withLock { $0 } == [promise])
            promise.fulfil(OutgoingResponse(HTTPResponse(status: .ok), exchange: 3))
            let endings = await handler.endings(2)
            #expect(endings.last == ScriptedHandler.Ending(exchange: 3, outcome: .clientGone))
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A client that only stops sending is served when the configuration says so`(kind: SelectorKind) async throws {
        try await server(kind, handler(Delivery(delay: .seconds(2))), servesHalfClosedClients: true) { time, client in
            try client.send(HTTPRequest(target: "/"))
            client.endSending()
            await time.untilLoopAwaits(in: .seconds(2))
            time.advance(by: .seconds(2))
            #expect(try client.receive().status == .ok)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A dribbled body comes piece by piece`(kind: SelectorKind) async throws {
        let delivery = Delivery(pacing: .dribble(chunks: 4, over: .seconds(4)))
        try await server(kind, handler(delivery, body: 4_000)) { time, client in
            try client.send(HTTPRequest(target: "/"))
            await time.untilLoopAwaits(in: .seconds(1))
            let head = try client.peek().count
            #expect(head > 0)
            for piece in 1...3 {
                time.advance(by: .seconds(1))
                await time.untilLoopAwaits(in: .seconds(1))
                #expect(try client.peek().count == head + 1_000 * piece)
            }
            time.advance(by: .seconds(1))
            #expect(try client.receive().body == ScriptedHandler.pattern(4_000))
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A response keeps to its bandwidth`(kind: SelectorKind) async throws {
        let delivery = Delivery(delay: .seconds(1), pacing: .bandwidth(bytesPerSecond: 1_000))
        try await server(kind, handler(delivery, body: 2_000)) { time, client in
            try client.send(HTTPRequest(target: "/"))
            await time.untilLoopAwaits(in: .seconds(1))
            time.advance(by: .seconds(1))
            await time.untilLoopAwaits(in: .milliseconds(20))
            time.advance(by: .seconds(1))
            await time.untilLoopAwaits(in: .milliseconds(20))
            #expect(try client.peek().count == 1_000)
            time.advance(by: .seconds(2))
            #expect(try client.receive().body == ScriptedHandler.pattern(2_000))
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A throttled body is answered when it was allowed to have come`(kind: SelectorKind) async throws {
        let handler = ScriptedHandler(intake: BodyIntake(bytesPerSecond: 10_000))
        try await server(kind, handler) { time, client in
            let body = ScriptedHandler.pattern(30_000)
            try client.send(HTTPRequest(method: .post, target: "/echo", body: body))
            await time.untilLoopAwaits(in: .seconds(3))
            time.advance(by: .milliseconds(20))
            await time.untilLoopsRest()
            #expect(try client.peek() == [])
            // Wherever the reads cut the body, three seconds suffice and less would not.
            for _ in 0..<150 {
                time.advance(by: .milliseconds(20))
                await time.untilLoopsRest()
            }
            #expect(try client.receive().body == body)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A head that does not end is answered with 408`(kind: SelectorKind) async throws {
        try await server(kind) { time, client in
            client.expectResponse(to: .get)
            try client.send("GET / HTTP/1.1\r\nHo")
            await time.untilLoopAwaits(in: .seconds(10))
            time.advance(by: .seconds(9))
            try client.send("s")
            await time.untilLoopAwaits(in: .seconds(1))
            time.advance(by: .seconds(1))
            let response = try client.receive()
            #expect(response.status == .requestTimeout)
            #expect(!response.keepsAlive)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A body that does not come is answered with 408`(kind: SelectorKind) async throws {
        try await server(kind) { time, client in
            client.expectResponse(to: .post)
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
            await time.untilLoopAwaits(in: .seconds(10))
            time.advance(by: .seconds(10))
            #expect(try client.receive().status == .requestTimeout)
        }
    }

    @Test(
        arguments: [
            ("GET / HTTP/1.1\r\nHo", "head"), ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf", "body"),
        ]
    )
    func `A request that breaks off is answered with 400`(bytes: String, part: String) async throws {
        try await server(.system) { _, client in
            client.expectResponse(to: .get)
            try client.send(bytes)
            client.endSending()
            let response = try client.receive()
            #expect(response.status == .badRequest)
            #expect(response.text.contains(part))
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `An idle connection is closed without a word`(kind: SelectorKind) async throws {
        try await server(kind) { time, client in
            let response = try client.exchange(HTTPRequest(target: "/"))
            #expect(response.status == .ok)
            await time.untilLoopAwaits(in: .seconds(60))
            time.advance(by: .seconds(60))
            let rest = try client.receiveRaw()
            #expect(rest == [])
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A client that does not read is reset`(kind: SelectorKind) async throws {
        let handler = ScriptedHandler()
        try await server(kind, handler) { time, client in
            try client.send(HTTPRequest(target: "/zeros/100000000"))
            await time.untilLoopAwaits(in: .seconds(10))
            time.advance(by: .seconds(10))
            #expect(await handler.endings(1).map(\.outcome) == [.clientGone])
            #expect(throws: HTTPClientFailure.reset) { try client.receiveRaw() }
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `Hundreds of delayed responses fall due together`(kind: SelectorKind) async throws {
        let time = ManualTime()
        let arrived = Shared(0)
        let box = PromiseBox()
        let handler = ScriptedHandler { request, _, promise in
            let isLast = arrived.withLock { count in
                count += 1
                return count == 300
            }
            if isLast { _ = box.put(promise) }
            return .now(
                OutgoingResponse(ScriptedHandler.response(to: request), delivery: Delivery(delay: .seconds(30)))
            )
        }
        let configuration = HTTPServer.Configuration(loops: 2, selector: kind, time: time)
        try await withServer(configuration, handler) { server, port in
            let clients = try (0..<300).map { _ in try HTTPClient(port: port) }
            for (index, client) in clients.enumerated() { try client.send(HTTPRequest(target: "/\(index)")) }
            _ = try await box.take()
            await time.untilLoopsRest()
            #expect(server.connectionCount == 300)
            time.advance(by: .seconds(30))
            for (index, client) in clients.enumerated() { #expect(try client.receive().text == "/\(index)") }
        }
    }

    @Test func `Work is scheduled on the server's clock`() async throws {
        let time = ManualTime()
        try await withServer(HTTPServer.Configuration(time: time)) { server, _ in
            let order = Shared<[Int]>([])
            for seconds in [3, 1, 2] {
                server.schedule(at: time.now().advanced(by: .seconds(seconds))) {
                    order.withLock { $0.append(seconds) }
                }
            }
            await time.untilLoopAwaits(in: .seconds(1))
            time.advance(by: .seconds(2))
            await time.untilLoopsRest()
            #expect(order.withLock { $0 } == [1, 2])
        }
    }
}
