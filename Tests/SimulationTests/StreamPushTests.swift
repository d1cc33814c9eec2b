import HTTPCodec
import ScenarioFormat
import Simulation
import Testing

/// What is pushed into streams that are open.
struct StreamPushTests {
    private static let scenario = #"""
        "clock": { "frozen": true }, "devices": { "header": "X-Device" },
        "routes": {
          "GET /events": { "staysOpen": true, "events": [{ "id": "1", "text": "a" }, { "after": "1h", "id": "2", "text": "b" }] },
          "GET /rows": { "headers": { "Content-Type": "application/x-ndjson" }, "staysOpen": true, "events": [] },
          "GET /socket": { "webSocket": { "echo": true } },
          "POST /say": {
            "then": [{ "push": "GET /socket", "events": [{ "json": { "said": "{{request.body#/text}}" } }] }],
            "status": 204, "empty": true
          }
        }
        """#

    private func client(_ more: String = "") throws -> SessionClient {
        try SessionClient(more + Self.scenario)
    }

    private func open(_ target: String, _ fields: HTTPFields = [:], in client: inout SessionClient) -> UInt64 {
        client.session.decide(IncomingRequest(HTTPRequest(target: target, fields: fields)), at: client.now).exchange
    }

    private static let handshake: HTTPFields = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
    ]

    private func output(of client: inout SessionClient) -> [String] {
        client.session.takeStreamOutput().map { part in
            "\(part.exchange): " + String(decoding: part.bytes, as: UTF8.self) + (part.isLast ? "end" : "")
        }
    }

    private func messages(of exchange: UInt64, in client: SessionClient) -> [String] {
        (client.session.journal.exchange(exchange)?.messages.kept ?? []).map { message in
            let parts = [message.sender.rawValue, message.kind.rawValue, message.id, message.code.map(String.init)]
            return (parts.compactMap(\.self) + [message.text]).joined(separator: " ")
        }
    }

    @Test func `the admin API sends events, lines and messages to every open stream of a route`() throws {
        var client = try client()
        let (first, second) = (open("/events", in: &client), open("/events", in: &client))
        let rows = open("/rows", in: &client)
        let socket = open("/socket", Self.handshake, in: &client)
        client.session.catchUp(at: client.now)
        _ = output(of: &client)
        try client.enact(#"{"push": "GET /events", "events": [{"id": "p", "event": "news", "json": {"a": 1}}]}"#)
        #expect(
            output(of: &client) == [first, second].map { "\($0): id: p\nevent: news\ndata: {\"a\":1}\n\n" }
        )
        try client.enact(#"{"push": "GET /rows", "events": [{"json": {"a": 1}}]}"#)
        try client.enact(
            #"{"push": "GET /socket", "events": [{"text": "hi"}], "close": {"code": 4000, "reason": "bye"}}"#
        )
        #expect(output(of: &client).map { String($0.prefix(3)) } == ["\(rows): ", "\(socket): ", "\(socket): "])
        #expect(messages(of: first, in: client) == ["server event 1 a", "server event p {\"a\":1}"])
        #expect(messages(of: rows, in: client) == ["server line {\"a\":1}"])
        #expect(messages(of: socket, in: client) == ["server text hi", "server close 4000 bye"])
        try client.enact(#"{"push": "GET /socket", "events": [{"text": "too late"}]}"#)
        #expect(output(of: &client).isEmpty)
    }

    @Test func `the timeline pushes at its moments, and a part that no client got was not played`() throws {
        var client = try client(
            #"""
            "timeline": [
              { "at": "10m", "push": "GET /rows", "events": [{ "text": "one" }, { "after": "5m", "text": "two" }], "close": {} }
            ],
            """#
        )
        let rows = open("/rows", in: &client)
        client.session.advance(by: .seconds(600), at: client.now)
        #expect(output(of: &client) == ["\(rows): one\n"])
        client.session.advance(by: .seconds(300), at: client.now)
        #expect(output(of: &client) == ["\(rows): two\n", "\(rows): end"])
        #expect(messages(of: rows, in: client) == ["server line one", "server line two", "server end "])
    }

    @Test func `a request pushes what it says into the streams of others`() throws {
        var client = try client()
        let socket = open("/socket", Self.handshake, in: &client)
        let fields: HTTPFields = ["Content-Type": "application/json"]
        let body = Array(#"{"text": "hello"}"#.utf8)
        _ = client.session.decide(
            IncomingRequest(HTTPRequest(method: .post, target: "/say", fields: fields, body: body)),
            at: client.now
        )
        #expect(messages(of: socket, in: client) == [#"server text {"said":"hello"}"#])
    }

    @Test(arguments: [
        ("1", ["x", "y", "2"]), ("x", ["y"]), ("y", []), ("never", ["1", "2"]),
    ])
    func `a client that was away gets what was pushed after the event that it names`(last: String, ids: [String]) throws
    {
        var client = try client()
        let first = open("/events", in: &client)
        client.session.catchUp(at: client.now)
        try client.enact(#"{"push": "GET /events", "events": [{"id": "x", "text": "x"}]}"#)
        client.session.end(first, .clientGone, at: client.now)
        try client.enact(#"{"push": "GET /events", "events": [{"id": "y", "text": "y"}]}"#)
        let second = open("/events", ["Last-Event-ID": last], in: &client)
        client.session.advance(by: .seconds(7_200), at: client.now)
        #expect(client.session.journal.exchange(second)?.messages.kept.map(\.id) == ids)
    }

    @Test func `one device is pushed to alone`() throws {
        var client = try client()
        let phone = open("/rows", ["X-Device": "phone"], in: &client)
        _ = open("/rows", ["X-Device": "tablet"], in: &client)
        try client.enact(#"{"push": "GET /rows", "device": "phone", "events": [{"text": "x"}]}"#)
        #expect(output(of: &client) == ["\(phone): x\n"])
    }

    @Test func `an automatic clock waits for a push that is to come`() throws {
        var client = try SessionClient(
            #""timeline": [{ "at": "1h", "push": "GET /rows", "events": [{ "text": "x" }] }], "#
                + Self.scenario.replacing("\"frozen\": true", with: "\"automatic\": true")
        )
        _ = open("/rows", in: &client)
        #expect(client.session.isWaitingForTime)
        client.session.jumpIfWaiting(at: client.now)
        #expect(output(of: &client) == ["1: x\n"])
        #expect(!client.session.isWaitingForTime)
    }

    @Test func `the journal keeps the newest hundred messages, shortened`() throws {
        var client = try client()
        let rows = open("/rows", in: &client)
        let before = client.session.journal.bytes
        let long = String(repeating: "ä", count: 300)
        for number in 0..<120 {
            try client.enact(#"{"push": "GET /rows", "events": [{"text": "\#(number) \#(long)"}]}"#)
        }
        let messages = try #require(client.session.journal.exchange(rows)?.messages)
        #expect(messages.dropped == 20 && messages.kept.count == StreamMessage.mostKept)
        #expect(messages.kept.allSatisfy { $0.text.utf8.count <= StreamMessage.textLimit && $0.size > 600 })
        #expect(client.session.journal.bytes - before < 120 * 1_000)
    }
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
