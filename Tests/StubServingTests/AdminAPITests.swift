import HTTPCodec
import HTTPServing
import JSON
import Simulation
import StubServing
import Testing

/// Every call of the admin API, and everything that it refuses.
@Suite(.timeLimit(.minutes(15)))
struct AdminAPITests {
    private static let backend = """
        {
          "backend": "Admin", "clock": { "frozen": true },
          "accounts": { "ada": { "id": 7 } },
          "tokens": { "kinds": { "access": { "lifetime": "1h" }, "refresh": { "lifetime": "30d", "format": "opaque" } } },
          "states": { "member": ["new", "old"] },
          "counters": { "note": 5 },
          "routes": {
            "POST /login": { "grants": { "access": "new", "refresh": "new" }, "empty": true },
            "GET /notes": { "requires": "access", "text": "{{counter.note}}" }
          }
        }
        """
    private static let story = """
        { "extends": "backend.json", "id": "S-1", "title": "Old", "about": "It was. It is.", "given": [{ "signIn": "phone", "ago": "2h" }] }
        """

    private func withAdmin(
        _ configure: (inout StubServer.Configuration) -> Void = { _ in },
        _ body: (Stub) async throws -> Void
    ) async throws {
        try await withStub(Self.backend, files: ["story.json": Self.story, "broken.json": "{"], configure, body)
    }

    // MARK: What it does

    @Test func `The server tells what it plays and what can be asked`() async throws {
        try await withAdmin { stub in
            #expect(
                try stub.admin(.get, "health") == ["status": "ok", "backend": "Admin", "story": .null, "sessions": 1]
            )
            let scenario = try stub.admin(.get, "scenario")
            #expect(scenario["file"] == "/project/Scenarios/backend.json")
            #expect(
                scenario["stories"] == [["id": "S-1", "title": "Old", "file": "/project/Scenarios/story.json"]]
            )
            let routes = try #require(try stub.admin(.get, "routes")["routes"]?.array)
            #expect(routes.map { $0["route"]?.string } == ["POST /login", "GET /notes"])
            #expect(routes.last?["requires"] == ["access"])
            #expect(try stub.client().get("/__backlot/").json["parts"]?.array?.count == 20)
        }
    }

    @Test func `A story is switched to, and begun again`() async throws {
        try await withAdmin { stub in
            let switched = try stub.admin(.post, "scenario", ["story": "S-1"])
            #expect(switched["story"]?["title"] == "Old")
            #expect(try states(of: stub) == ["access-1 expired", "refresh-1 valid"])
            try stub.advance("40d")
            #expect(try states(of: stub) == ["access-1 expired", "refresh-1 expired"])
            try stub.admin(.post, "scenario", ["reset": true])
            #expect(try states(of: stub) == ["access-1 expired", "refresh-1 valid"])
            #expect(try stub.admin(.get, "clock")["now"]?.string == Stub.start)
        }
    }

    @Test func `The clock is steered`() async throws {
        try await withAdmin { stub in
            let steps: [(JSONValue, String)] = [
                (["advance": "2h"], "11:00:00Z frozen"),
                (["set": "2026-03-01T20:00:00Z"], "20:00:00Z frozen"),
                (["freeze": false], "20:00:00Z running at 1"),
                (["rate": 60], "20:00:00Z running at 60"),
                (["freeze": true], "20:00:00Z frozen"),
                (["automatic": true], "20:00:00Z automatic"),
                (["skew": "-5m"], "20:00:00Z automatic"),
            ]
            for (body, expected) in steps {
                let clock = try stub.admin(.post, "clock", body)
                let rate = clock["rate"]?.number.map { " at \($0.text)" } ?? ""
                let now = clock["now"]?.string?.dropFirst("2026-03-01T".count) ?? ""
                #expect("\(now) \(clock["mode"]?.string ?? "")\(rate)" == expected, "\(body.text(.compact))")
            }
            #expect(try stub.admin(.get, "clock")["skew"] == "-5m")
            #expect(try stub.client().get("/unknown").fields["Date"] == "Sun, 01 Mar 2026 19:55:00 GMT")
        }
    }

    @Test func `Time passes on a running clock at its rate`() async throws {
        try await withAdmin { stub in
            try stub.admin(.post, "clock", ["rate": 60])
            await stub.pass(.seconds(90))
            #expect(try stub.admin(.get, "clock")["now"] == "2026-03-01T10:30:00Z")
        }
    }

    @Test func `Tokens are issued, expired, revoked and forgotten`() async throws {
        try await withAdmin { stub in
            try stub.admin(.post, "tokens", ["signIn": "phone"])
            #expect(try states(of: stub) == ["access-1 valid", "refresh-1 valid"])
            try stub.admin(.post, "tokens", ["expire": "access", "device": "phone"])
            #expect(try states(of: stub) == ["access-1 expired", "refresh-1 valid"])
            try stub.admin(.post, "tokens", ["issue": "access"])
            try stub.admin(.post, "tokens", ["revoke": "refresh"])
            #expect(try states(of: stub) == ["access-1 expired", "refresh-1 revoked", "access-2 valid"])
            try stub.admin(.post, "tokens", ["forget": "*"])
            try stub.admin(.post, "tokens", ["signOut": "phone"])
            #expect(try states(of: stub) == ["access-1 revoked", "refresh-1 revoked", "access-2 revoked"])
            let token = try stub.admin(.get, "tokens")["devices"]?[0]?["tokens"]?[2]
            #expect(token?["issuedAt"]?.string == Stub.start)
            #expect(token?["expiresAt"] == "2026-03-01T10:00:00Z")
            #expect(token?["secondsLeft"] == 3600)
        }
    }

    @Test func `States, counters, faults and whole lists of events are set`() async throws {
        try await withAdmin { stub in
            #expect(try stub.admin(.post, "states", ["state": ["member": "old"]])["states"] == ["member": "old"])
            #expect(try stub.admin(.post, "states", ["counter": ["note": 41]])["counters"] == ["note": 41])
            let armed = try stub.admin(.post, "faults", ["fault": "empty", "route": "GET /notes"])
            #expect(armed == ["armed": [["number": 1, "fault": "empty", "route": "GET /notes", "times": 1]]])
            let clock = try stub.admin(.post, "events", [["advance": "1h"], ["counter": ["note": 1]]])
            #expect(clock["now"] == "2026-03-01T10:00:00Z")
            #expect(try stub.admin(.get, "states")["counters"] == ["note": 1])
        }
    }

    @Test(arguments: [
        ("", [1, 2, 3, 4]), ("route=GET%20/notes", [2, 3]), ("status=404", [4]), ("method=POST", [1]),
        ("device=device-1", [1, 3]), ("token=access-1", [1, 3]), ("since=2", [3, 4]), ("limit=1", [4]),
        ("status=401&limit=5", [2]), ("canonical=true&since=3", [4]), ("session=default&limit=2", [3, 4]),
    ])
    func `The journal is filtered`(query: String, expected: [Int]) async throws {
        try await withAdmin { stub in
            let client = try stub.client()
            _ = try client.call(.post, "/login")
            _ = try client.get("/notes")
            let tokens = try #require(try stub.admin(.get, "tokens")["devices"]?[0]?["tokens"]?.array)
            _ = try client.get("/notes", .bearer(tokens[0]["value"]?.string ?? ""))
            _ = try client.get("/nothing")
            let exchanges = try #require(try stub.admin(.get, "journal?\(query)")["exchanges"]?.array)
            #expect(exchanges.map { $0["number"]?.number?.int } == expected)
            try stub.admin(.delete, "journal")
            #expect(try stub.admin(.get, "journal?\(query)")["exchanges"]?.array?.isEmpty == true)
        }
    }

    @Test func `The journal's document holds what a verdict rests on`() async throws {
        try await withAdmin { stub in
            _ = try stub.client().call(.post, "/login")
            _ = try stub.client().get("/notes")
            try stub.admin(.post, "client", ["signedOut": false])
            let document = try stub.admin(.get, "journal")
            #expect(document["version"] == 1 && document["filtered"] == nil && document["dropped"] == 0)
            #expect(document["exchanges"]?[0]?["arrivedMilliseconds"] == 0)
            #expect(document["devices"]?[0]?["tokens"]?[0]?["id"] == "access-1")
            #expect(document["devices"]?[0]?["tokens"]?[0]?["value"] == nil)
            #expect(document["statements"]?[0]?["afterExchange"] == 2)
            #expect(document["verdict"]?["verdict"] == (try stub.admin(.get, "verdict")["verdict"]))
            let filtered = try stub.admin(.get, "journal?status=401")
            #expect(filtered["filtered"] == true && filtered["lost"] == 1)
            let canonical = try stub.admin(.get, "journal?canonical=true")
            #expect(canonical.object?.names == ["session", "dropped", "exchanges"])
        }
    }

    @Test func `A session is made with story, seed and start`() async throws {
        try await withAdmin { stub in
            let body: JSONValue = ["name": "one", "story": "S-1", "seed": 5, "start": "2030-01-01T00:00:00Z"]
            let made = try stub.admin(.post, "sessions", body)
            #expect(made["seed"] == 5)
            #expect(made["url"]?.string == "http://127.0.0.1:\(stub.port)/__session/one")
            #expect(
                try stub.admin(.get, "sessions")["sessions"]?[1] == [
                    "name": "one", "story": "S-1", "seed": 5, "time": "2030-01-01T00:00:00Z", "exchanges": 0,
                ]
            )
            // A call may speak of a session that its client's requests will be for, and which is still to be made.
            let fields: HTTPFields = ["Backlot-Session": "two", "Content-Type": "application/json"]
            let response = try stub.client().call(.post, "/__backlot/sessions", fields, #"{"name":"two"}"#)
            #expect(response.code == 200)
        }
    }

    @Test func `Shutting down is asked for once the response has left`() async throws {
        try await withAdmin { stub in
            let asked = AsyncStream.makeStream(of: Void.self)
            stub.server.onShutdownRequest = { asked.continuation.yield() }
            let client = try stub.client()
            let response = try client.call(.post, "/__backlot/shutdown")
            #expect(try response.json == ["stopping": true])
            #expect(response.fields["Connection"] == "close")
            var requests = asked.stream.makeAsyncIterator()
            await requests.next()
        }
    }

    private func states(of stub: Stub) throws -> [String] {
        let tokens = try #require(try stub.admin(.get, "tokens")["devices"]?[0]?["tokens"]?.array)
        return tokens.map { "\($0["id"]?.string ?? "") \($0["state"]?.string ?? "")" }
    }

    // MARK: What it refuses

    struct Refusal: Sendable, CustomTestStringConvertible {
        var call: String
        var body: String
        var status: Int
        var problem: String
        /// A part of the sentence.
        var detail: String
        var testDescription: String { "\(call) \(body)" }

        init(_ call: String, _ body: String, _ status: Int, _ problem: String, _ detail: String) {
            (self.call, self.body, self.status) = (call, body, status)
            (self.problem, self.detail) = (problem, detail)
        }
    }

    static let refusals = [
        Refusal("GET clocks", "", 404, "not-found", "Use health, scenario,"),
        Refusal("GET clock/now", "", 404, "not-found", "Unknown path below /__backlot/clock"),
        Refusal("GET clock?session=nobody", "", 404, "not-found", #"Unknown session "nobody""#),
        Refusal("PUT clock", "", 405, "wrong-method", "use GET, HEAD, POST, OPTIONS"),
        Refusal("DELETE health", "", 405, "wrong-method", "use GET, HEAD, OPTIONS"),
        Refusal("POST clock", "{", 400, "not-json", "1:2"),
        Refusal("POST clock", #"{"advance":"1h","advance":"2h"}"#, 400, "not-json", "advance"),
        Refusal("POST clock", "[]", 400, "bad-event", #"one of "advance", "set""#),
        Refusal("POST clock", "", 400, "bad-event", #"one of "advance""#),
        Refusal("POST clock", #"{"expire":"access"}"#, 400, "bad-event", #"one of "advance""#),
        Refusal("POST clock", #"{"advance":"2 hours"}"#, 400, "invalid-event", "2 hours"),
        Refusal("POST clock", #"{"advance":7200}"#, 400, "invalid-event", "1:12: found the number 7200"),
        Refusal("POST clock", #"{"advance":"1h","set":"now"}"#, 400, "invalid-event", "set"),
        Refusal("POST clock", #"{"rate":-1}"#, 400, "invalid-event", "1:9: found the number -1"),
        Refusal("POST clock", #"{"advance":"1h","speed":5}"#, 400, "invalid-event", "speed"),
        Refusal("POST tokens", #"{"expire":"acces"}"#, 400, "invalid-event", "access"),
        Refusal("POST tokens", #"{"expire":"access","device":"fridge"}"#, 404, "not-found", #"No device "fridge""#),
        Refusal("POST tokens", #"{"advance":"1h"}"#, 400, "bad-event", #""issue""#),
        Refusal("POST states", #"{"state":{"member":"young"}}"#, 400, "invalid-event", "young"),
        Refusal("POST states", #"{"state":{"membr":"old"}}"#, 400, "invalid-event", "member"),
        Refusal("POST states", #"{"counter":{"note":"x"}}"#, 400, "invalid-event", "expected a whole number"),
        Refusal("POST faults", #"{"fault":"explode","route":"GET /notes"}"#, 400, "invalid-event", "explode"),
        Refusal("POST faults", #"{"fault":"reset","route":"GET /note"}"#, 400, "invalid-event", "GET /notes"),
        Refusal("POST events", #"[{"advance":"1h"},{"leap":"1h"}]"#, 400, "invalid-event", "1:19: "),
        Refusal("POST scenario", "", 400, "bad-body", "not null"),
        Refusal("POST scenario", "{}", 400, "bad-body", #"{"story": "ID"} or {"reset": true}"#),
        Refusal("POST scenario", #"{"reset":false}"#, 400, "bad-body", #""reset": true"#),
        Refusal("POST scenario", #"{"storey":"S-1"}"#, 400, "bad-body", #"Unknown key "storey""#),
        Refusal("POST scenario", #"{"story":1}"#, 400, "bad-body", "not number"),
        Refusal("POST scenario", #"{"story":"S-2"}"#, 400, "invalid-scenario", #"did you mean "S-1""#),
        Refusal("POST sessions", #"{"name":7}"#, 400, "bad-session", "1 to 64"),
        Refusal("POST sessions", #"{"name":"a/b"}"#, 400, "bad-session", "1 to 64"),
        Refusal("POST sessions", #"{"name":"default"}"#, 409, "session-exists", "default"),
        Refusal("POST sessions", #"{"name":"x","colour":1}"#, 400, "bad-body", #"Unknown key "colour""#),
        Refusal("POST sessions", #"{"name":"x","seed":-1}"#, 400, "bad-session", "seed"),
        Refusal("POST sessions", #"{"name":"x","seed":1.5}"#, 400, "bad-session", "seed"),
        Refusal("POST sessions", #"{"name":"x","start":"noon"}"#, 400, "bad-session", "start"),
        Refusal("POST sessions", #"{"name":"x","listener":1}"#, 400, "bad-session", "listener"),
        Refusal("POST sessions", #"{"name":"x","story":"none"}"#, 400, "invalid-scenario", "none"),
        Refusal("POST sessions/x", "{}", 400, "bad-session", "in the body"),
        Refusal("DELETE sessions", "", 400, "bad-session", "DELETE /__backlot/sessions/NAME"),
        Refusal("DELETE sessions/default", "", 400, "bad-session", "cannot be deleted"),
        Refusal("DELETE sessions/nobody", "", 404, "not-found", "nobody"),
        Refusal("GET journal?colour=red", "", 400, "bad-filter", "colour"),
        Refusal("GET journal?status=ok", "", 400, "bad-filter", "status"),
        Refusal("GET journal?limit=-1", "", 400, "bad-filter", "limit"),
        Refusal("GET journal?canonical=maybe", "", 400, "bad-filter", "maybe"),
    ]

    @Test(arguments: refusals)
    func `Each wrong call is told what is wrong`(refusal: Refusal) async throws {
        try await withAdmin { stub in
            let words = refusal.call.split(separator: " ").map(String.init)
            let fields: HTTPFields = refusal.body.isEmpty ? [:] : ["Content-Type": "application/json"]
            let method = HTTPMethod(rawValue: words[0])
            let response = try stub.client().call(method, "/__backlot/\(words[1])", fields, refusal.body)
            #expect(response.code == refusal.status)
            #expect(response.problem == refusal.problem)
            let detail = try response.json["detail"]?.string ?? ""
            #expect(detail.contains(refusal.detail), "\(detail)")
            #expect(detail.hasSuffix(".") || detail.hasSuffix("?"), "\(detail)")
            if refusal.status == 405 { #expect(response.fields["Allow"]?.contains("OPTIONS") == true) }
            // Nothing has changed.
            #expect(try stub.admin(.get, "clock")["now"]?.string == Stub.start)
            #expect(try stub.admin(.get, "sessions")["sessions"]?.array?.count == 1)
        }
    }

    @Test func `A call has a limit on the parts of streams that it sends`() async throws {
        let messages = Array(repeating: #"{"after": "1s", "text": "x"}"#, count: 30_000).joined(separator: ",")
        let backend =
            #"{"backend": "Crowd", "clock": {"frozen": true}, "routes": {"#
            + #""GET /long": {"events": [\#(messages)]}, "GET /open": {"staysOpen": true, "events": []}}}"#
        try await withStub(backend) { (stub) async throws in
            func send(_ part: String, _ body: JSONValue) throws -> HTTPReceivedResponse {
                let fields: HTTPFields = ["Content-Type": "application/json"]
                return try stub.client().call(.post, "/__backlot/\(part)", fields, body.text(.compact))
            }
            var readers: [HTTPClient] = []
            for target in Array(repeating: "/long", count: 4) + ["/open"] {
                let client = try stub.client()
                try client.send(HTTPRequest(target: target))
                readers.append(client)
            }
            try stub.untilDecided(readers.count)
            for refused: JSONValue in [["advance": "9h"], ["set": "2027-01-01T00:00:00Z"]] {
                #expect(try send("clock", refused).problem == "too-many-events")
            }
            #expect(
                try send("events", [["advance": "4h"], ["set": "2020-01-01T00:00:00Z"], ["advance": "400w"]]).code
                    == 400
            )
            let push: JSONValue = [
                "push": "GET /open", "events": .array(Array(repeating: ["text": "x"], count: 1_000)),
            ]
            #expect(try send("events", .array(Array(repeating: push, count: 101))).problem == "too-many-events")
            #expect(try stub.admin(.get, "clock")["now"]?.string == Stub.start)
            #expect(try send("clock", ["advance": "10s"]).code == 200)
            readers.removeAll()
        }
    }

    @Test func `Lists of events have a limit on the tokens that they go through`() async throws {
        let backend =
            #"{"backend": "Tokens", "tokens": {"kinds": {"access": {"lifetime": "1h"}}}, "routes": {"GET /": {}}}"#
        try await withStub(backend) { (stub) async throws in
            func send(_ events: [JSONValue]) throws -> HTTPReceivedResponse {
                let body = JSONValue.array(events).text(.compact)
                return try stub.client().call(.post, "/__backlot/events", ["Content-Type": "application/json"], body)
            }
            let signIns = (0..<2_000).map { JSONValue.object(["signIn": .string("device-\($0)")]) }
            #expect(try send(signIns).code == 200)
            #expect(try send(Array(repeating: ["revoke": "*"], count: 5_001)).problem == "too-many-events")
            #expect(try send(Array(repeating: ["revoke": "*"], count: 10)).code == 200)
            #expect(try send(Array(repeating: ["issue": "access"], count: 50)).problem == "too-many-tokens")
            #expect(try stub.admin(.get, "tokens")["devices"]?.array?.count == 2_000)
            // The devices of a list count for what follows in it.
            try stub.admin(.post, "scenario", ["reset": true])
            let issues = Array(repeating: JSONValue.object(["issue": "access"]), count: 5_000)
            #expect(try send(signIns + issues).problem == "too-many-tokens")
            #expect(try send(issues + signIns).code == 200)
        }
    }

    @Test func `HEAD and OPTIONS are answered as the standard requires it`() async throws {
        try await withAdmin { stub in
            let client = try stub.client()
            let length = try client.get("/__backlot/health").fields["Content-Length"]
            let head = try client.call(.head, "/__backlot/health")
            #expect(head.code == 200)
            #expect(head.body.isEmpty)
            #expect(head.fields["Content-Length"] == length)
            let options = try client.call(.options, "/__backlot/journal")
            #expect(options.code == 204)
            #expect(options.fields["Allow"] == "GET, HEAD, DELETE, OPTIONS")
        }
    }

    @Test func `Naming a session to the admin API does not make it`() async throws {
        try await withAdmin { stub in
            let client = try stub.client()
            #expect(try client.get("/__session/ghost/__backlot/clock").code == 404)
            #expect(try client.get("/__backlot/clock", ["Backlot-Session": "ghost"]).code == 404)
            #expect(try stub.admin(.get, "sessions")["sessions"]?.array?.count == 1)
        }
    }

    // MARK: Who may call

    @Test(arguments: [
        ("localhost", nil, 200), ("127.0.0.1:1", nil, 200), ("127.9.9.9", nil, 200), ("[::1]:80", nil, 200),
        ("app.localhost", nil, 200), ("LOCALHOST", nil, 200), ("evil.example", nil, 403),
        ("127.evil.example", nil, 403), ("192.168.1.5", nil, 403), ("localhost.evil.example", nil, 403),
        ("localhost", "http://localhost:PORT", 200), ("localhost", "http://127.0.0.1:PORT", 200),
        ("localhost", "http://localhost:1", 403), ("localhost", "https://localhost:PORT", 403),
        ("localhost", "http://evil.example", 403), ("localhost", "null", 403),
        ("localhost", "http://evil.example:PORT", 403), ("localhost", "http://localhost", 403),
    ])
    func `Only this machine and its own pages get in`(host: String, origin: String?, status: Int) async throws {
        try await withAdmin { stub in
            var fields: HTTPFields = ["Host": host]
            if let origin {
                let parts = origin.split(separator: "PORT", omittingEmptySubsequences: false)
                fields.append("Origin", parts.joined(separator: "\(stub.port)"))
            }
            let response = try stub.client().get("/__backlot/health", fields)
            #expect(response.code == status)
            #expect(status == 200 || response.problem == "forbidden")
        }
    }

    @Test(arguments: [
        ("application/json", 200), ("application/json; charset=utf-8", 200), ("text/plain", 415), ("", 415),
        ("application/x-www-form-urlencoded", 415), ("multipart/form-data", 415),
    ])
    func `A body has to be declared as JSON`(type: String, status: Int) async throws {
        try await withAdmin { stub in
            let fields: HTTPFields = type.isEmpty ? [:] : ["Content-Type": type]
            let response = try stub.client().call(.post, "/__backlot/clock", fields, #"{"advance":"1h"}"#)
            #expect(response.code == status)
        }
    }

    @Test(
        arguments: [
            ([:], 401), (["Backlot-Admin-Token": "secret"], 200), (["Authorization": "Bearer secret"], 200),
            (["Authorization": "bearer secret"], 200), (["Authorization": "Basic secret"], 401),
            (["Backlot-Admin-Token": "secret "], 200), (["Backlot-Admin-Token": "Secret"], 401),
            (["Backlot-Admin-Token": "secrets"], 401), (["Backlot-Admin-Token": ""], 401),
        ] as [(HTTPFields, Int)]
    )
    func `The token is asked for where there is one`(fields: HTTPFields, status: Int) async throws {
        try await withAdmin({ $0.adminToken = "secret" }) { stub in
            let response = try stub.client().get("/__backlot/clock", fields)
            #expect(response.code == status)
            #expect((response.fields["WWW-Authenticate"] != nil) == (status == 401))
            // A supervisor without a token learns that the server is there, and nothing else.
            let health = try stub.client().get("/__backlot/health", fields)
            let isAnonymous = Array(fields).isEmpty
            #expect(health.code == (isAnonymous ? 200 : status))
            if isAnonymous { #expect(try health.json == ["status": "ok"]) }
        }
    }

    @Test(arguments: [("192.168.1.5:9847", 200), ("[fe80::1]:9847", 200), ("mac.example", 403)])
    func `Who listens everywhere is reached at addresses and not by foreign names`(
        host: String,
        status: Int
    ) async throws {
        try await withAdmin({ ($0.host, $0.adminToken) = ("0.0.0.0", "secret") }) { stub in
            let client = try HTTPClient(host: "127.0.0.1", port: stub.port)
            let response = try client.get("/__backlot/health", ["Host": host, "Backlot-Admin-Token": "secret"])
            #expect(response.code == status)
        }
    }
}
