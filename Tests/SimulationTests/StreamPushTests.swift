import HTTPCodec
import ScenarioFormat
import Simulation
import Streams
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

    private func stage(_ more: String = "") throws -> Stage {
        try Stage(more + Self.scenario)
    }

    private func open(_ target: String, _ fields: HTTPFields = [:], in stage: inout Stage) -> UInt64 {
        stage.session.decide(HTTPRequest(target: target, fields: fields), at: stage.now).exchange
    }

    private static let handshake: HTTPFields = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
    ]

    private func output(of stage: inout Stage) -> [String] {
        stage.session.takeStreamOutput().map { part in
            "\(part.exchange): " + String(decoding: part.bytes, as: UTF8.self) + (part.isLast ? "end" : "")
        }
    }

    private func messages(of exchange: UInt64, in stage: Stage) -> [String] {
        (stage.session.journal.exchange(exchange)?.messages.kept ?? []).map { message in
            let parts = [message.sender.rawValue, message.kind.rawValue, message.id, message.code.map(String.init)]
            return (parts.compactMap(\.self) + [message.text]).joined(separator: " ")
        }
    }

    @Test func `the admin API sends events, lines and messages to every open stream of a route`() throws {
        var stage = try stage()
        let (first, second) = (open("/events", in: &stage), open("/events", in: &stage))
        let rows = open("/rows", in: &stage)
        let socket = open("/socket", Self.handshake, in: &stage)
        stage.session.catchUp(at: stage.now)
        _ = output(of: &stage)
        try stage.enact(#"{"push": "GET /events", "events": [{"id": "p", "event": "news", "json": {"a": 1}}]}"#)
        #expect(
            output(of: &stage) == [first, second].map { "\($0): id: p\nevent: news\ndata: {\"a\":1}\n\n" }
        )
        try stage.enact(#"{"push": "GET /rows", "events": [{"json": {"a": 1}}]}"#)
        try stage.enact(
            #"{"push": "GET /socket", "events": [{"text": "hi"}], "close": {"code": 4000, "reason": "bye"}}"#
        )
        #expect(output(of: &stage).map { String($0.prefix(3)) } == ["\(rows): ", "\(socket): ", "\(socket): "])
        #expect(messages(of: first, in: stage) == ["server event 1 a", "server event p {\"a\":1}"])
        #expect(messages(of: rows, in: stage) == ["server line {\"a\":1}"])
        #expect(messages(of: socket, in: stage) == ["server text hi", "server close 4000 bye"])
        try stage.enact(#"{"push": "GET /socket", "events": [{"text": "too late"}]}"#)
        #expect(output(of: &stage).isEmpty)
    }

    @Test func `the timeline pushes at its moments, and a part that no client got was not played`() throws {
        var stage = try stage(
            #"""
            "timeline": [
              { "at": "10m", "push": "GET /rows", "events": [{ "text": "one" }, { "after": "5m", "text": "two" }], "close": {} }
            ],
            """#
        )
        let rows = open("/rows", in: &stage)
        stage.session.advance(by: .seconds(600), at: stage.now)
        #expect(output(of: &stage) == ["\(rows): one\n"])
        stage.session.advance(by: .seconds(300), at: stage.now)
        #expect(output(of: &stage) == ["\(rows): two\n", "\(rows): end"])
        #expect(messages(of: rows, in: stage) == ["server line one", "server line two", "server end "])
    }

    @Test func `a request pushes what it says into the streams of others`() throws {
        var stage = try stage()
        let socket = open("/socket", Self.handshake, in: &stage)
        let fields: HTTPFields = ["Content-Type": "application/json"]
        let body = Array(#"{"text": "hello"}"#.utf8)
        _ = stage.session.decide(HTTPRequest(method: .post, target: "/say", fields: fields, body: body), at: stage.now)
        #expect(messages(of: socket, in: stage) == [#"server text {"said":"hello"}"#])
    }

    @Test(arguments: [
        ("1", ["x", "y", "2"]), ("x", ["y"]), ("y", []), ("never", ["1", "2"]),
    ])
    func `a client that was away gets what was pushed after the event that it names`(last: String, ids: [String]) throws
    {
        var stage = try stage()
        let first = open("/events", in: &stage)
        stage.session.catchUp(at: stage.now)
        try stage.enact(#"{"push": "GET /events", "events": [{"id": "x", "text": "x"}]}"#)
        stage.session.end(first, .clientGone, at: stage.now)
        try stage.enact(#"{"push": "GET /events", "events": [{"id": "y", "text": "y"}]}"#)
        let second = open("/events", ["Last-Event-ID": last], in: &stage)
        stage.session.advance(by: .seconds(7_200), at: stage.now)
        #expect(stage.session.journal.exchange(second)?.messages.kept.map(\.id) == ids)
    }

    @Test func `one device is pushed to alone`() throws {
        var stage = try stage()
        let phone = open("/rows", ["X-Device": "phone"], in: &stage)
        _ = open("/rows", ["X-Device": "tablet"], in: &stage)
        try stage.enact(#"{"push": "GET /rows", "device": "phone", "events": [{"text": "x"}]}"#)
        #expect(output(of: &stage) == ["\(phone): x\n"])
    }

    @Test func `an automatic clock waits for a push that is to come`() throws {
        var stage = try Stage(
            #""timeline": [{ "at": "1h", "push": "GET /rows", "events": [{ "text": "x" }] }], "#
                + Self.scenario.replacing("\"frozen\": true", with: "\"automatic\": true")
        )
        _ = open("/rows", in: &stage)
        #expect(stage.session.isWaitingForTime)
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(output(of: &stage) == ["1: x\n"])
        #expect(!stage.session.isWaitingForTime)
    }

    @Test func `the journal keeps the newest hundred messages, shortened`() throws {
        var stage = try stage()
        let rows = open("/rows", in: &stage)
        let before = stage.session.journal.bytes
        let long = String(repeating: "ä", count: 300)
        for number in 0..<120 {
            try stage.enact(#"{"push": "GET /rows", "events": [{"text": "\#(number) \#(long)"}]}"#)
        }
        let messages = try #require(stage.session.journal.exchange(rows)?.messages)
        #expect(messages.dropped == 20 && messages.kept.count == StreamMessage.mostKept)
        #expect(messages.kept.allSatisfy { $0.text.utf8.count <= StreamMessage.textLimit && $0.size > 600 })
        #expect(stage.session.journal.bytes - before < 120 * 1_000)
    }
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
