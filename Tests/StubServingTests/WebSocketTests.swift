import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// WebSockets as a raw client meets them, on a clock that stands still.
@Suite(.timeLimit(.minutes(15)))
struct WebSocketTests {
    private static let backend = #"""
        {
          "backend": "Sockets", "clock": { "frozen": true },
          "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
          "routes": {
            "POST /sign-in": { "grants": { "access": "new" }, "json": { "token": "{{token.access}}" } },
            "GET /echo": { "webSocket": { "echo": true, "subprotocols": ["chat"] } },
            "GET /ticks/{name}": {
              "webSocket": {
                "messages": [{ "json": { "hello": "{{request.path.name}}" } }, { "after": "5s", "text": "tick" }],
                "close": { "after": "1s", "code": 4000, "reason": "bye" }
              }
            },
            "GET /mine": { "requires": "access", "webSocket": { "echo": true, "tokenClose": 4401 } }
          }
        }
        """#

    private static let handshake: HTTPFields = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
    ]

    /// The client's side of an open WebSocket.
    private struct Socket {
        let client: HTTPClient
        let head: String
        private var consumed: Int
        private var reader = WebSocketReader(role: .client)
        private var input = InputBuffer()

        init(_ target: String, _ fields: HTTPFields = [:], of stub: Stub) throws {
            client = try stub.client()
            var all = WebSocketTests.handshake
            for (name, value) in fields { all.append(name, value) }
            try client.send(HTTPRequest(target: target, fields: all))
            let client = client
            try stub.until("the response of the handshake") {
                _ = try stub.admin(.get, "clock")
                return String(decoding: try client.peek(), as: UTF8.self).contains("\r\n\r\n")
            }
            let text = String(decoding: try client.peek(), as: UTF8.self)
            head = text.firstRange(of: "\r\n\r\n").map { String(text[..<$0.upperBound]) } ?? ""
            consumed = head.utf8.count
        }

        func send(_ opcode: WebSocketOpcode, _ text: String) throws {
            var bytes: [UInt8] = []
            WebSocketFrame.append(opcode, Array(text.utf8), mask: [1, 2, 3, 4], to: &bytes)
            try client.send(bytes)
        }

        /// The next message or control frame.
        mutating func next(of stub: Stub) throws -> WebSocketReader.Step {
            for _ in 0..<5_000 {
                let bytes = try client.peek()
                input.append(bytes.dropFirst(consumed))
                consumed = bytes.count
                let step = reader.next(&input)
                if step != .needsMoreBytes { return step }
                _ = try stub.admin(.get, "clock")
            }
            return .needsMoreBytes
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `messages are sent back, pings answered, and a close is answered with its code`(kind: SelectorKind)
        async throws
    {
        try await withStub(Self.backend, { $0.selector = kind }) { stub in
            var socket = try Socket("/echo", ["Sec-WebSocket-Protocol": "other, chat"], of: stub)
            #expect(socket.head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
            #expect(socket.head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
            #expect(socket.head.contains("Connection: Upgrade\r\n"))
            #expect(socket.head.contains("Sec-WebSocket-Protocol: chat\r\n"))
            try socket.send(.text, "hällo")
            #expect(try socket.next(of: stub) == .text("hällo"))
            let long = String(repeating: "x", count: 100_000)
            try socket.send(.text, long)
            #expect(try socket.next(of: stub) == .text(long))
            try socket.send(.ping, "p")
            #expect(try socket.next(of: stub) == .pong([0x70]))
            var close: [UInt8] = []
            WebSocketFrame.append(
                .close,
                WebSocketFrame.closePayload(WebSocketCloseCode(rawValue: 4001)),
                mask: [1, 2, 3, 4],
                to: &close
            )
            try socket.client.send(close)
            #expect(try socket.next(of: stub) == .close(WebSocketCloseCode(rawValue: 4001), reason: ""))
            _ = try socket.client.receiveRaw()
            #expect(!socket.client.isOpen)
        }
    }

    @Test func `unfinished messages of all sockets have a limit together`() async throws {
        try await withStub(Self.backend, { $0.unfinishedMessages = 100_000 }) { stub in
            var socket = try Socket("/echo", of: stub)
            var frame: [UInt8] = []
            WebSocketFrame.append(.text, Array(repeating: 0x61, count: 900_000), mask: [1, 2, 3, 4], to: &frame)
            try socket.client.send(Array(frame.prefix(600_000)))
            let reason = "the unfinished messages of all WebSockets are too large"
            #expect(try socket.next(of: stub) == .close(.messageTooBig, reason: reason))
            _ = try socket.client.receiveRaw()
            #expect(!socket.client.isOpen)
            #expect(try stub.admin(.get, "journal")["exchanges"]?.text(.compact).contains(reason) == true)
            // The bytes of the first one no longer count.
            var other = try Socket("/echo", of: stub)
            let text = String(repeating: "x", count: 20_000)
            try other.send(.text, text)
            #expect(try other.next(of: stub) == .text(text))
        }
    }

    @Test func `scripted messages come with the clock, and the close after them`() async throws {
        try await withStub(Self.backend) { stub in
            var socket = try Socket("/ticks/ada", of: stub)
            #expect(try socket.next(of: stub) == .text(#"{"hello":"ada"}"#))
            try stub.advance("5s")
            #expect(try socket.next(of: stub) == .text("tick"))
            try stub.advance("1s")
            #expect(try socket.next(of: stub) == .close(WebSocketCloseCode(rawValue: 4000), reason: "bye"))
        }
    }

    @Test func `a token that expires closes with its code at that moment`() async throws {
        try await withStub(Self.backend) { stub in
            #expect(try stub.client().get("/mine", Self.handshake).code == 401)
            let token = try stub.client().call(.post, "/sign-in").json["token"]?.string ?? ""
            var socket = try Socket("/mine", .bearer(token), of: stub)
            try stub.advance("3599s")
            try socket.send(.text, "a")
            #expect(try socket.next(of: stub) == .text("a"))
            try stub.advance("1s")
            let close = try socket.next(of: stub)
            #expect(close == .close(WebSocketCloseCode(rawValue: 4401), reason: "the token is no longer valid"))
        }
    }

    @Test func `a frame without a mask closes with 1002`() async throws {
        try await withStub(Self.backend) { stub in
            var socket = try Socket("/echo", of: stub)
            try socket.client.send([0x81, 0x01, 0x61])
            let step = try socket.next(of: stub)
            #expect(step == .close(.protocolError, reason: "frames from a client must be masked"))
        }
    }

    @Test(
        arguments: [
            ("Upgrade", nil, 426), ("Sec-WebSocket-Key", "short", 400), ("Sec-WebSocket-Version", "8", 426),
            ("Connection", "keep-alive", 400),
        ] as [(String, String?, Int)]
    )
    func `a request that is not a valid handshake is refused`(name: String, value: String?, status: Int) async throws {
        try await withStub(Self.backend) { stub in
            var fields = Self.handshake
            fields[name] = value
            let response = try stub.client().get("/echo", fields)
            #expect(response.code == status)
            #expect(response.problem == "no-handshake")
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["status"]?.int == status)
        }
    }

    @Test(
        .enabled("python3 has no websockets", { await Python.imports("websockets") })
    )
    func `the library websockets of Python talks to it`() async throws {
        try await withStub(Self.backend) { stub in
            let program = """
                import sys
                from websockets.sync.client import connect
                with connect(f"ws://localhost:{sys.argv[1]}/echo", subprotocols=["chat"], compression=None) as socket:
                    assert socket.subprotocol == "chat"
                    for message in ["hello", "ä" * 70000, b"bytes"]:
                        socket.send(message)
                        assert socket.recv() == message
                    socket.ping().wait(10)
                assert socket.protocol.close_code == 1000, socket.protocol.close_code
                print("done")
                """
            let output = try await Python.run(program, String(stub.port))
            #expect(output == "done\n")
        }
    }
}
