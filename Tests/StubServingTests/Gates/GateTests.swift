import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import Testing

/// Clients that a live server holds at gates, and everything that lets them go.
@Suite(.timeLimit(.minutes(15)))
struct GateTests {
    private func backend(_ hold: String, clock: String = #"{ "frozen": true }"#) -> String {
        """
        {
          "backend": "Gates", "clock": \(clock), "hold": \(hold),
          "states": { "token": ["old", "new"] },
          "routes": {
            "GET /a/{id}": { "text": "{{request.path.id}} {{state.token}}" },
            "POST /refresh": { "then": [{ "state": { "token": "new" } }], "text": "refreshed" },
            "GET /real": { "latency": "50ms", "text": "real" },
            "GET /hour": { "latency": { "fixed": "1h", "clock": "virtual" }, "text": "hour" },
            "GET /free": { "latency": { "fixed": "2h", "clock": "virtual" }, "text": "free" }
          }
        }
        """
    }

    private static let three = #"{ "until": 3, "requests": "GET /a/{id}" }"#

    @Test(arguments: SelectorKind.allCases)
    func `Responses wait until so many requests are in flight`(kind: SelectorKind) async throws {
        try await withStub(backend(Self.three), { $0.selector = kind }) { stub in
            let held = try stub.hold(["/a/1", "/a/2"])
            for client in held { #expect(try client.peek().isEmpty) }
            #expect(try stub.client().get("/a/3").text == "3 old")
            #expect(try stub.texts(held) == ["1 old", "2 old"])
            #expect(stub.gateLines == ["2026-03-01 09:00:00.000  gate 1 opened: 3 requests in flight"])
            // It closes once.
            #expect(try stub.client().get("/a/4").text == "4 old")
            let journal = try stub.admin(.get, "journal")["exchanges"]
            #expect(journal?[0]?["gate"] == ["name": "gate 1", "heldMilliseconds": 0])
            #expect(journal?[3]?["gate"] == nil)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A gate opens by itself after its quiet time`(kind: SelectorKind) async throws {
        var log: LogText?
        try await withStub(backend(Self.three), { $0.selector = kind }) { stub in
            log = stub.log
            let first = try stub.hold(["/a/1"])[0]
            await stub.pass(.milliseconds(60))
            let second = try stub.hold(["/a/2"])[0]
            await stub.pass(.milliseconds(60))
            #expect(try first.peek().isEmpty)
            #expect(try second.peek().isEmpty)
            await stub.pass(.milliseconds(41))
            #expect(try stub.texts([first, second]) == ["1 old", "2 old"])
            #expect(
                stub.gateLines == [
                    "2026-03-01 09:00:00.000  gate 1 opened after 100 ms without a request, with 2 of 3 requests"
                ]
            )
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["gate"]?["heldMilliseconds"] == 161)
        }
        #expect(log?.text.contains("held 161 ms") == true)
    }

    @Test func `Requests that are decided on release see what another request has changed`() async throws {
        let hold = """
            { "until": { "answered": "POST /refresh", "status": 200 }, "decide": "release", "order": "reversed",
              "requests": "GET /a/{id}", "name": "late" }
            """
        try await withStub(backend(hold)) { stub in
            let held = try stub.hold(["/a/1", "/a/2"])
            #expect(try stub.admin(.get, "journal")["exchanges"] == [])
            #expect(try stub.client().call(.post, "/refresh").text == "refreshed")
            #expect(try stub.texts(held) == ["1 new", "2 new"])
            let targets = try stub.admin(.get, "journal")["exchanges"]?.array?.compactMap { $0["target"]?.string }
            #expect(targets == ["/refresh", "/a/2", "/a/1"])
            #expect(
                stub.gateLines.map { $0.split(separator: "  ")[1] } == [
                    "gate late opened for 2 requests that waited for POST /refresh to be answered with 200"
                ]
            )
        }
    }

    // MARK: The admin API

    @Test func `The admin API lists gates and lets go whom they hold`() async throws {
        let hold = """
            [{ "until": "released", "requests": "GET /a/{id}", "name": "one", "decide": "release" },
             { "until": 2, "requests": "GET /real", "name": "two" }]
            """
        try await withStub(backend(hold)) { stub in
            let (one, two) = (try stub.hold(["/a/1"])[0], try stub.hold(["/real"])[0])
            let expected: JSONValue = [
                [
                    "name": "one", "waitsFor": "its release by the admin API", "opensInMilliseconds": 100,
                    "timesLeft": 1,
                    "openings": [], "held": [["method": "GET", "target": "/a/1", "heldMilliseconds": 0]],
                ],
                [
                    "name": "two", "waitsFor": "2 requests in flight", "opensInMilliseconds": 100, "timesLeft": 1,
                    "openings": [],
                    "held": [["method": "GET", "target": "/real", "exchange": 1, "heldMilliseconds": 0]],
                ],
            ]
            #expect(try JSONValue.array(stub.gates()) == expected)
            #expect(try stub.admin(.post, "release", ["gate": "one"]) == ["released": 1])
            #expect(try one.receive().text == "1 old")
            #expect(try stub.gates()[0]["openings"] == [["cause": "released", "exchanges": [2]]])
            #expect(try stub.admin(.post, "release", [:]) == ["released": 1])
            await stub.pass(.milliseconds(50))
            #expect(try two.receive().text == "real")
            #expect(try stub.admin(.post, "release") == ["released": 0])
        }
    }

    @Test(
        arguments: [
            (#"{"gate": "gaet 1"}"#, 404, #"Did you mean "gate 1"? GET /__backlot/gates lists the gates."#),
            (#"{"gate": 1}"#, 400, "requires a gate's name as a string, not "),
            (#"{"gates": "gate 1"}"#, 400, "Unknown key "),
            ("[]", 400, "Send a JSON object"), ("{", 400, "not JSON"),
        ]
    )
    func `A release that makes no sense is refused with what would be right`(
        body: String,
        status: Int,
        detail: String
    ) async throws {
        try await withStub(backend(Self.three)) { stub in
            let response = try stub.client().call(
                .post,
                "/__backlot/release",
                ["Content-Type": "application/json"],
                body
            )
            #expect(
                response.code == status && response.text.contains(detail.split(separator: "\"")[0]),
                "\(response.text)"
            )
        }
    }

    @Test func `Requests to the admin API are never held`() async throws {
        try await withStub(backend(#"{ "until": 9 }"#)) { stub in
            let health = try stub.admin(.get, "health")
            #expect(health["status"] == "ok")
            #expect(try stub.held() == ["0"])
        }
    }

    // MARK: Clients that leave

    @Test(arguments: ["arrival", "release"], SelectorKind.allCases)
    func `A client that leaves is in flight no more`(moment: String, kind: SelectorKind) async throws {
        let hold = #"{ "until": 2, "requests": "GET /a/{id}", "decide": "\#(moment)" }"#
        try await withStub(backend(hold), { $0.selector = kind }) { stub in
            try stub.hold(["/a/1"])[0].reset()
            try stub.until("nobody to be held") { try stub.held() == ["0"] }
            let second = try stub.hold(["/a/2"])[0]
            #expect(try second.peek().isEmpty)
            #expect(try stub.client().get("/a/3").text == "3 old")
            #expect(try second.receive().text == "2 old")
            let outcomes = try stub.admin(.get, "journal")["exchanges"]?.array?.compactMap { $0["outcome"]?.string }
            #expect(outcomes?.first == (moment == "arrival" ? "clientGone" : "sent"))
            #expect(outcomes?.count == (moment == "arrival" ? 3 : 2))
        }
    }

    @Test func `A server that stops lets everybody go`() async throws {
        for moment in ["arrival", "release"] {
            var clients: [HTTPClient] = []
            try await withStub(backend(#"{ "until": 9, "quiet": "1h", "decide": "\#(moment)" }"#)) { stub in
                clients = try stub.hold(["/a/1", "/a/2"])
            }
            let texts = try clients.map { try $0.receive().text }
            #expect(texts == ["1 old", "2 old"])
        }
    }

    // MARK: Time

    @Test func `A response waits for its gate, and then for the rest of its time`() async throws {
        try await withStub(backend(#"{ "until": "released", "requests": ["GET /hour", "GET /real"] }"#)) { stub in
            let held = try stub.hold(["/hour", "/real"])
            try stub.advance("30m")
            try stub.admin(.post, "release", [:])
            // Another loop than the one that let them go may have to take them.
            await stub.pass(.zero)
            await stub.pass(.milliseconds(49))
            #expect(try held[1].peek().isEmpty)
            await stub.pass(.milliseconds(1))
            #expect(try held[1].receive().text == "real")
            #expect(try held[0].peek().isEmpty)
            try stub.advance("30m")
            #expect(try held[0].receive().text == "hour")
        }
    }

    @Test(arguments: ["arrival", "release"])
    func `An automatic clock stands still while a gate holds somebody`(moment: String) async throws {
        let hold = #"{ "until": 2, "requests": "GET /hour", "decide": "\#(moment)" }"#
        try await withStub(backend(hold, clock: #"{ "automatic": true }"#)) { stub in
            let held = try stub.hold(["/hour"])[0]
            let free = try stub.client()
            try free.send(HTTPRequest(target: "/free"))
            try stub.untilDecided(moment == "arrival" ? 2 : 1)
            await stub.pass(.milliseconds(60))
            #expect(try stub.admin(.get, "clock")["now"]?.string == Stub.start)
            await stub.pass(.milliseconds(60))
            for _ in 0..<8 { await stub.pass(.milliseconds(5)) }
            #expect(try held.receive().text == "hour")
            for _ in 0..<8 { await stub.pass(.milliseconds(5)) }
            #expect(try free.receive().text == "free")
            #expect(try stub.admin(.get, "clock")["now"] == "2026-03-01T11:00:00Z")
        }
    }

    // MARK: Sessions

    @Test(arguments: ["arrival", "release"])
    func `A session that begins again or ends lets everybody go`(moment: String) async throws {
        let hold = #"{ "until": 2, "requests": ["GET /a/{id}", "GET /hour"], "decide": "\#(moment)", "times": 3 }"#
        try await withStub(backend(hold)) { stub in
            let held = try stub.hold(["/a/1"])[0]
            try stub.admin(.post, "scenario", ["reset": true])
            #expect(try held.receive().text == "1 old")
            #expect(try stub.held() == ["0"])
            #expect(try stub.admin(.get, "journal")["exchanges"] == [])
            try stub.admin(.post, "sessions", ["name": "one"])
            let (other, hour) = (
                try stub.hold(["/a/2"], session: "one")[0], try stub.hold(["/hour"])[0]
            )
            #expect(try stub.held(session: "one") == ["0", "/a/2"])
            #expect(try stub.held() == ["0", "/hour"])
            try stub.admin(.delete, "sessions/one")
            #expect(try other.receive().text == "2 old")
            try stub.admin(.post, "scenario", ["reset": true])
            #expect(try hour.receive().text == "hour")
        }
    }

    @Test func `Many clients at one gate go on together`() async throws {
        let hold = #"{ "until": 60, "requests": "GET /a/{id}", "decide": "release" }"#
        try await withStub(backend(hold), { $0.logsExchanges = false }) { stub in
            let clients = try (1...60).map { number in
                let client = try stub.client()
                try client.send(HTTPRequest(target: "/a/\(number)"))
                return client
            }
            for (index, client) in clients.enumerated() { #expect(try client.receive().text == "\(index + 1) old") }
            #expect(try stub.held() == ["1"])
            #expect(stub.gateLines.isEmpty)
        }
    }

    @Test func `The same seed gives the same journal, whichever request comes first`() async throws {
        func journal(_ targets: [String], seed: UInt64) async throws -> String {
            var journal = ""
            let hold = #"{ "until": 5, "requests": "GET /a/{id}", "decide": "release" }"#
            try await withStub(backend(hold), { $0.seed = seed }) { stub in
                let held = try stub.hold(targets)
                for client in held { _ = try client.receive() }
                journal = try stub.admin(.get, "journal?canonical=true").text(.compact)
            }
            return journal
        }
        let targets = (1...5).map { "/a/\($0)" }
        let first = try await journal(targets, seed: 7)
        #expect(try await journal(targets.reversed(), seed: 7) == first)
        #expect(try await journal(targets, seed: 8) != first)
    }
}
