import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import Testing

/// How a request finds its session, and what becomes of sessions that end or begin again.
@Suite(.timeLimit(.minutes(15)))
struct SessionTests {
    private let backend = """
        {
          "backend": "Sessions",
          "clock": { "frozen": true },
          "counters": { "asked": 0 },
          "routes": {
            "GET /who": { "text": "{{session}} {{counter.asked}} {{request.target}}" },
            "GET /wait": { "latency": { "fixed": "1h", "clock": "virtual" }, "text": "{{session}} {{counter.asked}}" },
            "POST /upload": { "bandwidth": { "up": "1kB/s" }, "text": "taken" }
          }
        }
        """

    @Test func `A request names its session by header, by path, or not at all`() async throws {
        try await withStub(backend) { stub in
            let client = try stub.client()
            #expect(try client.get("/who").text == "default 1 /who")
            #expect(try client.get("/who", ["Backlot-Session": "one"]).text == "one 1 /who")
            #expect(try client.get("/__session/one/who?a=1").text == "one 2 /who?a=1")
            #expect(try client.get("/__session/two/who", ["Backlot-Session": "one"]).text == "two 1 /who")
            #expect(try client.get("/who", ["Backlot-Session": "default"]).text == "default 2 /who")
            let names = try stub.admin(.get, "sessions")["sessions"]?.array?.map { $0["name"]?.string }
            #expect(names == ["default", "one", "two"])
        }
    }

    @Test func `A session may have a listener of its own, also for its part of the admin API`() async throws {
        try await withStub(backend) { stub in
            let made = try stub.admin(.post, "sessions", ["name": "own", "listener": true])
            let port = try #require(made["url"]?.string?.split(separator: ":").last.flatMap { UInt16($0) })
            let client = try stub.client(port: port)
            #expect(try client.get("/who").text == "own 1 /who")
            try client.admin(.post, "clock", ["advance": "1h"])
            #expect(try client.admin(.get, "scenario")["session"] == "own")
            #expect(try stub.admin(.get, "clock?session=own")["now"] == "2026-03-01T10:00:00Z")
            #expect(try stub.admin(.get, "clock")["now"] == "2026-03-01T09:00:00Z")

            try stub.admin(.delete, "sessions/own")
            // The listener closes on its loop, a moment later, and the session is gone before. Afterwards the port may be
            // another test's.
            let late = try? stub.client(port: port).get("/who")
            #expect(late?.text.hasPrefix("own") != true)
            let names = try stub.admin(.get, "sessions")["sessions"]?.array?.map { $0["name"]?.string }
            #expect(names == ["default"])
        }
    }

    @Test(arguments: ["", ".", "..", "a b", "ä", String(repeating: "n", count: 65), "a/b"])
    func `A name that no session can have is refused`(name: String) async throws {
        try await withStub(backend) { stub in
            let client = try stub.client()
            let fields: HTTPFields = ["Backlot-Session": name]
            let response = try client.get("/who", fields)
            #expect(response.code == 400)
            #expect(response.problem == "bad-session-name")
            let body = JSONValue.object(["name": .string(name)]).text(.compact)
            let made = try client.call(.post, "/__backlot/sessions", ["Content-Type": "application/json"], body)
            #expect(made.problem == "bad-session")
        }
    }

    @Test func `Sessions that were idle for long make place for new ones`() async throws {
        try await withStub(backend, { $0.maximumSessions = 4 }) { stub in
            func ask(_ session: String) throws -> (code: Int, text: String) {
                let response = try stub.client().get("/who", ["Backlot-Session": session])
                return (response.code, response.text)
            }
            for name in ["one", "two", "three"] {
                #expect(try ask(name).code == 200)
            }
            await stub.pass(.seconds(599))
            _ = try ask("two")
            #expect(try ask("four").code == 503)
            await stub.pass(.seconds(2))
            #expect(try ask("four").text == "four 1 /who")
            let names = try stub.admin(.get, "sessions")["sessions"]?.array?.compactMap { $0["name"]?.string }
            #expect(names == ["default", "four", "two"])
            #expect(stub.log.text.contains("2 sessions were removed after 10 minutes without activity"))
            // What is asked for again begins anew.
            #expect(try ask("one").text == "one 1 /who")
            #expect(try ask("two").text == "two 3 /who")
        }
    }

    @Test func `The journals of all sessions have a bound together`() async throws {
        let backend = #"{"backend": "Large", "routes": {"POST /": {"empty": true}}}"#
        try await withStub(backend, { $0.journalBytes = 400_000 }) { stub in
            let client = try stub.client()
            let body = String(repeating: "x", count: 20_000)
            for name in ["one", "two", "three"] {
                for _ in 0..<15 { _ = try client.call(.post, "/", ["Backlot-Session": name], body) }
            }
            let journals = try ["one", "two", "three"].map { try stub.admin(.get, "journal?session=\($0)") }
            let kept = journals.map { $0["exchanges"]?.array?.count ?? 0 }
            let dropped = journals.compactMap { $0["dropped"]?.number?.int }
            // Each is complete, or says how much is missing.
            #expect(zip(kept, dropped).map(+) == [15, 15, 15])
            #expect(kept.reduce(0, +) <= 400_000 / 20_000)
            #expect(kept[2] > 0)
            for name in ["one", "two", "three"] { try stub.admin(.delete, "sessions/\(name)") }
            for _ in 0..<12 { _ = try client.call(.post, "/", ["Backlot-Session": "four"], body) }
            #expect(try stub.admin(.get, "journal?session=four")["dropped"] == 0)
        }
    }

    @Test func `The journals of all sessions have a bound together, also if each has one large exchange`() async throws
    {
        let backend = #"{"backend": "Large", "routes": {"POST /": {"empty": true}}}"#
        try await withStub(backend, { $0.journalBytes = 10_000_000 }) { stub in
            let client = try stub.client()
            let body = String(repeating: "x", count: 1_000_000)
            for number in 1...30 { _ = try client.call(.post, "/", ["Backlot-Session": "s\(number)"], body) }
            let journals = try (1...30).map { try stub.admin(.get, "journal?session=s\($0)") }
            #expect(journals.count { $0["exchanges"]?.array?.count == 1 } <= 10)
            #expect(journals.allSatisfy { $0["exchanges"]?.array?.count == 1 || $0["dropped"] == 1 })
        }
    }

    @Test func `What the requests of all sessions store has a bound together`() async throws {
        let backend = #"""
            {
              "backend": "Stores", "collections": { "notes": {}, "files": {} },
              "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
              "routes": {
                "POST /notes": { "then": [{ "create": "notes", "item": { "text": "{{request.body}}" } }], "json": 1 },
                "POST /tokens": { "grants": { "access": "new" }, "remember": { "text": "{{request.body}}" }, "json": 1 }
              }
            }
            """#
        try await withStub(backend, { $0.storedBytes = 3_000_000 }) { stub in
            let client = try stub.client()
            let body = String(repeating: "x", count: 1_000_000)
            func post(_ path: String, _ session: String) throws -> Int {
                try client.call(.post, path, ["Backlot-Session": session], body).code
            }
            #expect(try post("/notes", "one") == 200)
            #expect(try post("/tokens", "two") == 200)
            #expect(try post("/notes", "three") == 200)
            #expect(try post("/notes", "four") == 507)
            #expect(try post("/tokens", "four") == 507)
            #expect(try post("/notes", "one") == 507)
            try stub.admin(.delete, "sessions/two")
            try stub.until("the removed session is gone") { try post("/notes", "four") == 200 }
            #expect(try post("/notes", "one") == 507)
            try stub.admin(.post, "scenario?session=four", ["reset": true])
            #expect(try post("/notes", "one") == 200)
            try stub.admin(.post, "scenario?session=one", ["reset": true])
            #expect(try post("/notes", "one") == 200)
        }
    }

    @Test func `The path of sessions is a path of the backend where it names none`() async throws {
        let backend = #"{"backend": "Paths", "routes": {"GET /__session": {"text": "own"}}}"#
        try await withStub(backend) { stub in
            let client = try stub.client()
            #expect(try client.get("/__session").text == "own")
            #expect(try client.get("/__session/").code == 400)
            #expect(try client.get("/__session/one/__session").text == "own")
        }
    }

    @Test func `There is an end to the number of sessions`() async throws {
        try await withStub(backend, { $0.maximumSessions = 3 }) { stub in
            let client = try stub.client()
            for name in ["one", "two"] {
                #expect(try client.get("/who", ["Backlot-Session": name]).code == 200)
            }
            let refused = try client.get("/who", ["Backlot-Session": "three"])
            #expect(refused.code == 503)
            #expect(refused.problem == "too-many-sessions")
            try client.admin(.delete, "sessions/one")
            #expect(try client.get("/who", ["Backlot-Session": "three"]).text == "three 1 /who")
        }
    }

    @Test func `An exchange that ends after a reset leaves the new life alone`() async throws {
        try await withStub(backend) { stub in
            let (old, new) = (try stub.client(), try stub.client())
            try old.send(HTTPRequest(target: "/wait"))
            try stub.untilDecided(1)
            try stub.admin(.post, "scenario", ["reset": true])
            // The reset lets the old response go; its end must not be taken for that of the new exchange 1.
            #expect(try old.receive().text == "default 1")
            try new.send(HTTPRequest(target: "/wait"))
            try stub.untilDecided(1)
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["outcome"] == "open")
            #expect(try new.peek().isEmpty)
            try stub.advance("1h")
            #expect(try new.receive().text == "default 1")
        }
    }

    @Test func `Deleting a session lets the responses go that wait in it`() async throws {
        try await withStub(backend) { stub in
            let client = try stub.client()
            try client.send(HTTPRequest(target: "/wait", fields: ["Backlot-Session": "doomed"]))
            try stub.until("the session is made") {
                try stub.admin(.get, "sessions")["sessions"]?.array?.count == 2
            }
            try stub.untilDecided(1, session: "doomed")
            try stub.admin(.delete, "sessions/doomed")
            #expect(try client.receive().text == "doomed 1")
            #expect(try client.get("/who", ["Backlot-Session": "doomed"]).text == "doomed 1 /who")
        }
    }

    @Test func `Stopping the server lets waiting responses go`() async throws {
        try await withStub(backend) { stub in
            let client = try stub.client()
            try client.send(HTTPRequest(target: "/wait"))
            try stub.untilDecided(1)
            await stub.server.stop(within: .zero)
            #expect(try client.receive().text == "default 1")
        }
    }

    @Test(arguments: ["/upload", "/__session/new/upload"])
    func `An upload is slow also in the first request of a session`(target: String) async throws {
        try await withStub(backend, { $0.logsExchanges = false }) { stub in
            let client = try stub.client()
            let body = [UInt8](repeating: 0x61, count: 2_000)
            try client.send(HTTPRequest(method: .post, target: target, body: body))
            await stub.time.untilLoopAwaits(in: .seconds(2))
            await stub.pass(.milliseconds(1_900))
            #expect(try client.peek().isEmpty)
            await stub.pass(.milliseconds(100))
            #expect(try client.receive().text == "taken")
        }
    }
}
