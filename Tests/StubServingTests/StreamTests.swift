import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// Server-sent events and lines of JSON as a raw client meets them, on a clock that stands still.
@Suite(.timeLimit(.minutes(15)))
struct StreamTests {
    private static let backend = #"""
        {
          "backend": "Streams", "clock": { "frozen": true },
          "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
          "routes": {
            "POST /sign-in": { "grants": { "access": "new" }, "json": { "token": "{{token.access}}" } },
            "GET /progress/{job}": {
              "headers": { "Cache-Control": "no-store" },
              "events": [
                { "id": "1", "json": { "job": "{{request.path.job}}", "done": 0 } },
                { "after": "2s", "id": "2", "event": "half", "json": { "done": 50 } },
                { "after": "3s", "id": "3", "text": "line one\nline two", "comment": "nearly there" }
              ]
            },
            "GET /news": { "staysOpen": true, "events": [{ "after": "1s", "retry": "3s", "text": "first" }] },
            "GET /silence": { "staysOpen": true, "events": [] },
            "GET /nothing": { "events": [] },
            "GET /now": {
              "events": [
                { "id": "1", "text": "one" }, { "comment": "ping" }, { "event": "half", "text": "two\nlines", "id": "2" }
              ]
            },
            "GET /mine": {
              "requires": "access", "tokenAt": "events",
              "events": [{ "text": "hello" }, { "after": "59m", "text": "still" }, { "after": "2m", "text": "never" }]
            },
            "GET /rows": {
              "headers": { "Content-Type": "application/x-ndjson" },
              "events": [{ "json": { "row": 1 } }, { "after": "1s", "json": { "row": 2 } }]
            },
            "GET /late": { "latency": { "fixed": "5s", "clock": "virtual" }, "events": [{ "after": "1s", "text": "a" }] },
            "GET /broken": { "fault": "truncated", "events": [{ "after": "1s", "text": "0123456789" }] },
            "GET /fine": { "text": "fine" }
          }
        }
        """#

    private func events(_ response: HTTPReceivedResponse) -> [EventStreamReader.Dispatch] {
        var reader = EventStreamReader()
        return reader.read(response.body)
    }

    /// Opens a stream and waits for a text on it, so that all that is due by now has come.
    private func open(
        _ target: String,
        _ fields: HTTPFields = [:],
        of stub: Stub,
        until text: String = "\r\n\r\n"
    ) throws -> HTTPClient {
        let client = try stub.client()
        try client.send(HTTPRequest(target: target, fields: fields))
        try wait(for: text, on: client, of: stub)
        return client
    }

    private func received(by client: HTTPClient) throws -> String {
        String(decoding: try client.peek(), as: UTF8.self)
    }

    private func wait(for text: String, on client: HTTPClient, of stub: Stub) throws {
        try stub.until("\(text) on the stream") {
            // Each question is a round trip to the server, so this waits for nothing but it.
            _ = try stub.admin(.get, "clock")
            return try received(by: client).contains(text)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `events leave as the clock comes to them, and the last one ends the stream`(kind: SelectorKind) async throws {
        try await withStub(Self.backend, { $0.selector = kind }) { stub in
            let client = try open("/progress/7", of: stub, until: #""done":0"#)
            #expect(try !received(by: client).contains("id: 2"))
            try stub.advance("1999ms")
            _ = try stub.admin(.get, "clock")
            #expect(try !received(by: client).contains("id: 2"))
            try stub.advance("1ms")
            try wait(for: "id: 2", on: client, of: stub)
            #expect(try !received(by: client).contains("id: 3"))
            try stub.advance("1h")
            let response = try client.receive()
            #expect(response.fields["Content-Type"] == "text/event-stream")
            #expect(response.fields["Cache-Control"] == "no-store")
            #expect(response.fields["Content-Length"] == nil)
            #expect(
                events(response) == [
                    .init(data: #"{"job":"7","done":0}"#, lastEventID: "1"),
                    .init(type: "half", data: #"{"done":50}"#, lastEventID: "2"),
                    .init(data: "line one\nline two", lastEventID: "3"),
                ]
            )
            #expect(response.text.contains(": nearly there\n"))
            #expect(!client.isOpen)
            #expect(try stub.client().get("/fine").text == "fine")
        }
    }

    @Test func `one advance over the whole stream delivers all of it`() async throws {
        try await withStub(Self.backend) { stub in
            let client = try open("/progress/7", of: stub, until: #""done":0"#)
            try stub.advance("1h")
            #expect(events(try client.receive()).map(\.lastEventID) == ["1", "2", "3"])
        }
    }

    @Test(arguments: [
        ("1", ["2", "3"]), ("2", ["3"]), ("3", []), ("unknown", ["1", "2", "3"]), ("", ["1", "2", "3"]),
    ])
    func `a client that names its last event gets those after it`(last: String, ids: [String]) async throws {
        try await withStub(Self.backend) { stub in
            let client = try stub.client()
            try client.send(HTTPRequest(target: "/progress/7", fields: ["Last-Event-ID": last]))
            try stub.untilDecided(1)
            try stub.advance("1h")
            #expect(events(try client.receive()).map(\.lastEventID) == ids)
        }
    }

    @Test func `a stream that stays open ends when the client leaves`() async throws {
        try await withStub(Self.backend) { stub in
            let client = try open("/news", of: stub)
            try stub.advance("1s")
            try wait(for: "data: first", on: client, of: stub)
            try stub.advance("1h")
            #expect(client.isOpen)
            #expect(try received(by: client).contains("retry: 3000\n"))
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["outcome"] == "open")
            client.reset()
            try stub.until("the end of the exchange") {
                try stub.admin(.get, "journal")["exchanges"]?[0]?.text().contains("clientGone") == true
            }
        }
    }

    @Test func `a stream without events is empty, or silent where it stays open`() async throws {
        try await withStub(Self.backend) { stub in
            #expect(try stub.client().get("/nothing").body.isEmpty)
            let client = try open("/silence", of: stub)
            try stub.advance("10h")
            #expect(client.isOpen)
            #expect(try !received(by: client).contains("data"))
        }
    }

    @Test func `a token that is looked at before each event ends the stream when it has expired`() async throws {
        try await withStub(Self.backend) { stub in
            #expect(try stub.client().get("/mine").code == 401)
            let token = try stub.client().call(.post, "/sign-in").json["token"]?.string ?? ""
            let client = try open("/mine", .bearer(token), of: stub, until: "hello")
            try stub.advance("59m")
            try wait(for: "still", on: client, of: stub)
            try stub.advance("2m")
            #expect(events(try client.receive()).map(\.data) == ["hello", "still"])
        }
    }

    @Test func `lines of JSON come under their own media type`() async throws {
        try await withStub(Self.backend) { stub in
            let client = try open("/rows", of: stub, until: #"{"row":1}"#)
            try stub.advance("1s")
            let response = try client.receive()
            #expect(response.fields.values(of: "Content-Type") == ["application/x-ndjson"])
            #expect(response.text == "{\"row\":1}\n{\"row\":2}\n")
        }
    }

    @Test func `a latency on the virtual clock comes before the head, and the events after it`() async throws {
        try await withStub(Self.backend) { stub in
            let client = try stub.client()
            try client.send(HTTPRequest(target: "/late"))
            try stub.untilDecided(1)
            #expect(try client.peek().isEmpty)
            try stub.advance("5s")
            try wait(for: "\r\n\r\n", on: client, of: stub)
            #expect(try !received(by: client).contains("data: a"))
            try stub.advance("1s")
            #expect(events(try client.receive()) == [.init(data: "a")])
        }
    }

    @Test func `HEAD gets the head alone, and HTTP 1_0 a body without chunks`() async throws {
        try await withStub(Self.backend) { stub in
            let head = try stub.client().call(.head, "/rows")
            #expect(head.code == 200)
            #expect(head.body.isEmpty)
            let old = try stub.client()
            try old.send("GET /rows HTTP/1.0\r\nHost: localhost\r\n\r\n")
            try stub.untilDecided(2)
            try stub.advance("1s")
            let bytes = String(decoding: try old.receiveRaw(), as: UTF8.self)
            #expect(bytes.hasSuffix("\r\n\r\n{\"row\":1}\n{\"row\":2}\n"))
            #expect(!bytes.contains("chunked"))
        }
    }

    @Test func `a fault breaks a stream as it breaks any body`() async throws {
        try await withStub(Self.backend) { stub in
            #expect(throws: HTTPClientFailure.self) { try stub.client().get("/broken") }
        }
    }

    @Test func `a session that begins again ends its streams`() async throws {
        try await withStub(Self.backend) { stub in
            let client = try open("/silence", of: stub)
            try stub.admin(.post, "scenario", ["reset": true])
            #expect(try client.receive().body.isEmpty)
        }
    }

    @Test func `many open streams share one clock`() async throws {
        try await withStub(Self.backend) { stub in
            let clients = try (0..<100).map { _ in try open("/news", of: stub) }
            try stub.advance("1s")
            for client in clients { try wait(for: "data: first", on: client, of: stub) }
        }
    }

    /// What two clients of other authors print of the stream at `/now`.
    private static let programs = [
        (
            "httpx_sse",
            """
            import sys, httpx, httpx_sse
            with httpx.Client() as client, httpx_sse.connect_sse(client, "GET", sys.argv[1]) as source:
                for event in source.iter_sse():
                    print([event.event, event.data, event.id])
            """
        ),
        (
            "sseclient",
            """
            import sys, httpx, sseclient
            with httpx.stream("GET", sys.argv[1]) as response:
                for event in sseclient.SSEClient(response.iter_bytes()).events():
                    print([event.event, event.data, event.id])
            """
        ),
    ]

    @Test(
        .enabled(
            "python3 has no httpx, httpx_sse and sseclient",
            { await Python.imports("httpx", "httpx_sse", "sseclient") }
        )
    )
    func `httpx-sse and sseclient-py read the events that are sent`() async throws {
        try await withStub(Self.backend) { stub in
            for (name, program) in Self.programs {
                let output = try await Python.run(program, "http://localhost:\(stub.port)/now")
                #expect(output == "['message', 'one', '1']\n['half', 'two\\nlines', '2']\n", "\(name)")
            }
        }
    }
}
