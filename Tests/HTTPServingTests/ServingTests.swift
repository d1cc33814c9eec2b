import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import TestSupport
import Testing

/// What a client may expect of the server, on every way of waiting.
@Suite(.timeLimit(.minutes(15)))
struct ServingTests {
    private func configuration(_ kind: SelectorKind, loops: Int = 1) -> HTTPServer.Configuration {
        HTTPServer.Configuration(loops: loops, selector: kind)
    }

    @Test(arguments: SelectorKind.allCases)
    func `One connection carries many requests`(kind: SelectorKind) async throws {
        try await withServer(configuration(kind)) { _, port in
            let client = try HTTPClient(port: port)
            let first = client.localPort
            for _ in 0..<20 {
                let response = try client.exchange(HTTPRequest(target: "/"))
                #expect(response.status == .ok)
                #expect(response.text == "hello")
            }
            #expect(client.localPort == first)
        }
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `Both loopback addresses are served at one port`(host: String) async throws {
        try await withServer { _, port in
            let client: HTTPClient
            do {
                client = try HTTPClient(host: host, port: port)
            } catch HTTPClientFailure.unreachable {
                try Test.cancel("this machine has no \(host)")
            }
            #expect(try client.exchange(HTTPRequest(target: "/")).text == "hello")
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `Pipelined requests are answered in their order`(kind: SelectorKind) async throws {
        try await withServer(configuration(kind)) { _, port in
            let client = try HTTPClient(port: port)
            let paths = (0..<200).map { "/path/\($0)" }
            for _ in paths { client.expectResponse(to: .get) }
            try client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            #expect(try paths.map { _ in try client.receive().text } == paths)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `Pipelined requests wait for a response that comes later`(kind: SelectorKind) async throws {
        let box = PromiseBox()
        let handler = ScriptedHandler { request, _, promise in
            request.path == "/later" ? box.put(promise) : ScriptedHandler.route(request, Peer.nobody, promise)
        }
        try await withServer(configuration(kind), handler) { _, port in
            let client = try HTTPClient(port: port)
            for _ in 0..<3 { client.expectResponse(to: .get) }
            try client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let promise = try await box.take()
            try client.send("GET /third HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.peek() == [])
            promise.fulfil(OutgoingResponse(HTTPResponse(status: 202)))
            #expect(try client.receive().status == 202)
            #expect(try client.receive().text == "hello")
            #expect(try client.receive().text == "/third")
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A request may come byte by byte`(kind: SelectorKind) async throws {
        try await withServer(configuration(kind)) { _, port in
            let client = try HTTPClient(port: port)
            client.expectResponse(to: .post)
            for byte in "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".utf8 {
                try client.send([byte])
            }
            #expect(try client.receive().text == "hello")
        }
    }

    @Test func `HEAD has the fields of GET and no body`() async throws {
        try await withServer { _, port in
            let client = try HTTPClient(port: port)
            let response = try client.exchange(HTTPRequest(method: .head, target: "/bytes/50000"))
            #expect(response.fields["Content-Length"] == "50000")
            #expect(response.body == [])
            // Bytes of a body would be taken for the next response.
            #expect(try client.exchange(HTTPRequest(target: "/")).text == "hello")
        }
    }

    @Test(
        arguments: [
            ("GET / HTTP/1.0\r\n\r\n", false), ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n", false),
        ]
    )
    func `The connection lives on when both sides want it`(request: String, livesOn: Bool) async throws {
        try await withServer { _, port in
            let client = try HTTPClient(port: port)
            client.expectResponse(to: .get)
            try client.send(request)
            let response = try client.receive()
            #expect(response.text == "hello")
            #expect(response.keepsAlive == livesOn)
            if livesOn { return }
            client.endSending()
        }
    }

    @Test func `A response may end the connection`() async throws {
        let handler = ScriptedHandler { _, _, _ in
            .now(OutgoingResponse(HTTPResponse(status: .ok), delivery: Delivery(closesConnection: true)))
        }
        try await withServer(HTTPServer.Configuration(), handler) { _, port in
            let client = try HTTPClient(port: port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let bytes = try client.receiveRaw().text
            #expect(bytes.contains("Connection: close\r\n"))
            #expect(bytes.split(separator: "HTTP/1.1 200").count == 1)
        }
    }

    @Test(arguments: SelectorKind.allCases, [0, 1, 40_000, 3_000_000])
    func `Bodies of any size go both ways unharmed`(kind: SelectorKind, size: Int) async throws {
        try await withServer(configuration(kind)) { _, port in
            let client = try HTTPClient(port: port)
            let body = ScriptedHandler.pattern(size)
            #expect(try client.exchange(HTTPRequest(method: .post, target: "/echo", body: body)).body == body)
            #expect(try client.exchange(HTTPRequest(target: "/bytes/\(size)")).body == body)
        }
    }

    @Test func `Unfinished bodies have a bound in sum, and give their room back`() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.unfinishedBodies = 100_000
        try await withServer(configuration) { _, port in
            for _ in 0..<3 {
                let large = try HTTPClient(port: port)
                large.expectResponse(to: .post)
                try large.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n")
                try large.send([UInt8](repeating: 0x61, count: 200_000))
                #expect(try large.receive().status == .serviceUnavailable)
                let small = HTTPRequest(method: .post, target: "/echo", body: [UInt8](repeating: 0x61, count: 90_000))
                #expect(try HTTPClient(port: port).exchange(small).status == .ok)
            }
        }
    }

    @Test func `A chunked body is put together`() async throws {
        try await withServer { _, port in
            let client = try HTTPClient(port: port)
            client.expectResponse(to: .post)
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n")
            try client.send("7\r\n, world\r\n0\r\nX-Sum: 12\r\n\r\n")
            #expect(try client.receive().text == "hello, world")
        }
    }

    @Test func `A client that asks for it gets 100 before it sends the body`() async throws {
        try await withServer { _, port in
            let client = try HTTPClient(port: port)
            client.expectResponse(to: .post)
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.receiveInterim().status == .continue)
            try client.send("body")
            #expect(try client.receive().text == "body")
            // Whoever sends the body unasked needs no 100.
            client.expectResponse(to: .post)
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nmore")
            #expect(try client.receive().text == "more")
            #expect(client.interimResponses == [])
        }
    }

    @Test func `A body beyond the handler's limit is refused instead of a 100`() async throws {
        let handler = ScriptedHandler(intake: BodyIntake(limit: 10))
        try await withServer(HTTPServer.Configuration(), handler) { _, port in
            let client = try HTTPClient(port: port)
            client.expectResponse(to: .post)
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.receive().status == .contentTooLarge)
            #expect(client.interimResponses == [])
        }
    }

    @Test(
        arguments: [
            ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 70_000))\r\n\r\n", 431),
            ("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 101))\r\n", 431),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413),
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
        ]
    )
    func `What is no request is answered with its status, then the connection ends`(
        bytes: String,
        status: Int
    ) async throws {
        try await withServer { _, port in
            let client = try HTTPClient(port: port)
            client.expectResponse(to: .get)
            try client.send(bytes)
            let response = try client.receive()
            #expect(response.status.code == status)
            #expect(!response.keepsAlive)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A refusal reaches a client that is still sending`(kind: SelectorKind) async throws {
        try await withServer(configuration(kind)) { _, port in
            let client = try HTTPClient(port: port)
            client.expectResponse(to: .post)
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
            try client.send([UInt8](repeating: 65, count: 4 << 20))
            let response = try client.receive()
            #expect(response.status == .contentTooLarge)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A client that has ended its sending still gets the responses that are ready`(kind: SelectorKind) async throws
    {
        try await withServer(configuration(kind)) { _, port in
            let client = try HTTPClient(port: port)
            for _ in 0..<2 { client.expectResponse(to: .get) }
            try client.send("GET /bytes/2000000 HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            client.endSending()
            #expect(try client.receive().body.count == 2_000_000)
            #expect(try client.receive().text == "hello")
            #expect(throws: HTTPClientFailure.closedWithoutResponse) {
                client.expectResponse(to: .get)
                _ = try client.receive()
            }
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `Responses are fulfilled from any thread`(kind: SelectorKind) async throws {
        let handler = ScriptedHandler { request, _, promise in
            let response = OutgoingResponse(ScriptedHandler.response(to: request))
            // A thread of its own: the clients below block those that tasks run on.
            do {
                try LoopThread.start { promise.fulfil(response) }
            } catch {
                return .now(OutgoingResponse(HTTPResponse(status: .internalServerError)))
            }
            return .later
        }
        try await withServer(configuration(kind, loops: 2), handler) { _, port in
            let clients = try (0..<10).map { _ in try HTTPClient(port: port) }
            for round in 0..<10 {
                for (index, client) in clients.enumerated() {
                    try client.send(HTTPRequest(target: "/\(index)/\(round)"))
                }
                for (index, client) in clients.enumerated() {
                    #expect(try client.receive().text == "/\(index)/\(round)")
                }
            }
        }
    }

    @Test func `Only the first response to a promise counts`() async throws {
        let box = PromiseBox()
        let handler = ScriptedHandler { _, _, promise in box.put(promise) }
        try await withServer(HTTPServer.Configuration(), handler) { _, port in
            let client = try HTTPClient(port: port)
            try client.send(HTTPRequest(target: "/"))
            let promise = try await box.take()
            promise.fulfil(OutgoingResponse(HTTPResponse(status: 201), exchange: 1))
            promise.fulfil(OutgoingResponse(HTTPResponse(status: 202), exchange: 2))
            #expect(try client.receive().status == 201)
            try client.send(HTTPRequest(target: "/"))
            try await box.take().fulfil(OutgoingResponse(HTTPResponse(status: 203), exchange: 3))
            #expect(try client.receive().status == 203)
            let endings = await handler.endings(3)
            #expect(endings.contains { $0.exchange == 1 && $0.outcome == .sent })
            #expect(endings.contains { $0.exchange == 2 && $0.outcome == .clientGone })
        }
    }

    @Test func `The server's clock dates what has no date`() async throws {
        let handler = ScriptedHandler { request, _, _ in
            var response = HTTPResponse(status: .ok)
            if request.path == "/own" { response.fields.append("Date", "never") }
            return .now(OutgoingResponse(response, date: request.path == "/given" ? "soon" : nil))
        }
        try await withServer(HTTPServer.Configuration(), handler) { _, port in
            let client = try HTTPClient(port: port)
            #expect(try client.exchange(HTTPRequest(target: "/own")).fields["Date"] == "never")
            #expect(try client.exchange(HTTPRequest(target: "/given")).fields["Date"] == "soon")
            #expect(try client.exchange(HTTPRequest(target: "/")).fields["Date"]?.hasSuffix(" GMT") == true)
        }
    }

    @Test func `The handler learns who asked`() async throws {
        let seen = Shared<[Peer]>([])
        let handler = ScriptedHandler { request, peer, promise in
            seen.withLock { $0.append(peer) }
            return ScriptedHandler.route(request, peer, promise)
        }
        try await withServer(HTTPServer.Configuration(loops: 2), handler) { server, port in
            let other = try server.addListener(port: 0, tag: 7)
            let first = try HTTPClient(host: "127.0.0.1", port: port)
            _ = try first.exchange(HTTPRequest(target: "/"))
            let second = try HTTPClient(host: "127.0.0.1", port: other)
            _ = try second.exchange(HTTPRequest(target: "/"))
            let peers = seen.withLock { $0 }
            #expect(peers.map(\.listener) == [0, 7])
            #expect(peers.map(\.address) == ["127.0.0.1", "127.0.0.1"])
            #expect(peers.map(\.port) == [first.localPort, second.localPort])
            #expect(Set(peers.map(\.connection)).count == 2)
        }
    }
}

extension Peer {
    static let nobody = Peer(
        connection: 0,
        listener: 0,
        address: "",
        port: 0,
        arrival: MonotonicTime(nanoseconds: 0)
    )
}
