import TestSupport
import Testing

@testable import HTTPCodec

struct EventStreamTests {
    private func read(_ text: String) -> [EventStreamReader.Dispatch] {
        var reader = EventStreamReader()
        return reader.read(text.utf8)
    }

    /// The examples of WHATWG HTML, section 9.2.6, and its rules on fields and line ends.
    @Test(arguments: [
        (
            "data: YHOO\ndata: +2\ndata: 10\n\n",
            [EventStreamReader.Dispatch(data: "YHOO\n+2\n10")]
        ),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [
                .init(data: "first event", lastEventID: "1"), .init(data: "second event"),
                .init(data: " third event"),
            ]
        ),
        ("data\n\ndata\ndata\n\ndata:", [.init(data: ""), .init(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [.init(data: "test"), .init(data: "test")]),
        (
            "event: add\ndata: 73857293\n\nevent: \ndata: 1\n\n",
            [.init(type: "add", data: "73857293"), .init(data: "1")]
        ),
        ("data: a\r\rdata: b\r\n\r\ndata: c\n\r\n", [.init(data: "a"), .init(data: "b"), .init(data: "c")]),
        ("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", [.init(data: "a")]),
        (
            "id: 1\ndata: a\n\nid: 2\u{0}\ndata: b\n\n",
            [.init(data: "a", lastEventID: "1"), .init(data: "b", lastEventID: "1")]
        ),
        ("id: 7\n\ndata: a\n\n", [.init(data: "a", lastEventID: "7")]),
        ("event: lost\n\ndata: a\n\n", [.init(data: "a")]),
        ("DATA: a\nfoo: b\ndata : c\n\n", []),
        ("data: a\n", []),
        ("data: a: b\n\n", [.init(data: "a: b")]),
    ])
    func `a stream gives the events that a browser dispatches`(text: String, events: [EventStreamReader.Dispatch]) {
        #expect(read(text) == events)
        // Byte by byte it is the same.
        var reader = EventStreamReader()
        #expect(text.utf8.flatMap { reader.read([$0]) } == events)
    }

    @Test func `the waiting time is read from digits alone`() {
        var reader = EventStreamReader()
        for (text, expected) in [
            ("retry: 10x\n", nil), ("retry:2500\n", 2500), ("retry: -1\n", 2500), ("retry\n", 2500),
        ] {
            #expect(reader.read(text.utf8).isEmpty)
            #expect(reader.retry == expected)
        }
        #expect(reader.read("retry: 99999999999999999999\n".utf8).isEmpty)
        #expect(reader.retry == 2500)
    }

    @Test func `a line or an event beyond the limit ends the reading`() {
        var reader = EventStreamReader(limit: 8)
        #expect(reader.read("data: 12\n\n".utf8) == [.init(data: "12")])
        #expect(reader.read("data: 123".utf8).isEmpty)
        #expect(reader.isTooLarge)
        #expect(reader.read("\n\ndata: 1\n\n".utf8).isEmpty)
        var many = EventStreamReader(limit: 8)
        for _ in 0..<5 { _ = many.read("data: 1\n".utf8) }
        #expect(many.isTooLarge)
    }

    static let events: [ServerSentEvent] = [
        ServerSentEvent(data: "a"), ServerSentEvent(data: ""), ServerSentEvent(data: " a"), ServerSentEvent(data: ":"),
        ServerSentEvent(data: "a\nb\n"), ServerSentEvent(data: "\n"), ServerSentEvent(data: "ä\u{1F600}\u{0}"),
        ServerSentEvent(type: "add", data: "a", id: "1"), ServerSentEvent(type: " ", data: "a", id: " "),
        ServerSentEvent(data: "a", id: "", retry: 10), ServerSentEvent(data: "event: x"),
    ]

    @Test(arguments: events)
    func `an event that is written is read again`(event: ServerSentEvent) {
        #expect(event.isWritable)
        var reader = EventStreamReader()
        let found = reader.read((ServerSentEvent.comment("a\nb") + event.text).utf8)
        #expect(
            found == [
                .init(type: event.type ?? "message", data: event.data, lastEventID: event.id ?? "")
            ]
        )
        #expect(reader.retry == event.retry)
    }

    @Test func `an event without data sets identifier and waiting time and is not dispatched`() {
        var reader = EventStreamReader()
        #expect(reader.read(ServerSentEvent(id: "9", retry: 5).text.utf8).isEmpty)
        #expect(reader.lastEventID == "9")
        #expect(reader.retry == 5)
    }

    @Test func `carriage returns in data arrive as line feeds`() {
        #expect(read(ServerSentEvent(data: "a\r\nb\rc").text) == [.init(data: "a\nb\nc")])
    }

    @Test func `a line break in a type or an identifier cannot be written`() {
        #expect(!ServerSentEvent(type: "a\nb").isWritable)
        #expect(!ServerSentEvent(id: "a\rb").isWritable)
        #expect(!ServerSentEvent(id: "a\u{0}b").isWritable)
        #expect(!ServerSentEvent(retry: -1).isWritable)
    }

    @Test func `a value of several lines becomes one line`() {
        #expect(LineStream.line("{\n  \"a\": 1\r\n}") == "{   \"a\": 1  }\n")
    }

    @Test(.enabled("python3 has no httpx_sse", { await Python.imports("httpx", "httpx_sse") }))
    func `httpx-sse reads what is written, and reads the same as we do`() async throws {
        // Of two clients' differences from the standard, NUL in data is one.
        let stream = Self.events.filter { !$0.data.contains("\0") }.map(\.text).joined()
        let program = """
            import sys, json, httpx, httpx_sse
            body = sys.stdin.buffer.read()
            transport = httpx.MockTransport(lambda request: httpx.Response(
                200, headers={"content-type": "text/event-stream"}, content=body))
            with httpx.Client(transport=transport) as client:
                with httpx_sse.connect_sse(client, "GET", "http://localhost/") as source:
                    for event in source.iter_sse():
                        print(json.dumps([event.event, event.data, event.id], ensure_ascii=False))
            """
        let lines = try await Python.run(program, input: stream).split(separator: "\n").map(String.init)
        let expected = read(stream).map { event in
            let parts = [event.type, event.data, event.lastEventID].map { part in
                "\"\(part.replacing("\n", with: "\\n"))\""
            }
            return "[\(parts.joined(separator: ", "))]"
        }
        #expect(lines == expected)
    }
}
