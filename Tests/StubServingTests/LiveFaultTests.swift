import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// Faults that a user arms on a running server.
@Suite(.timeLimit(.minutes(15)))
struct `An armed fault` {
    private static let backend = #"""
        {
          "backend": "Shop", "clock": { "frozen": true },
          "states": { "order": ["open", "paid"] },
          "tokens": { "kinds": {
            "access": { "lifetime": "1h", "reject": { "*": { "status": 401, "json": { "error": "refused" } } } },
            "refresh": { "lifetime": "30d", "in": { "body": "/refresh" } } } },
          "given": [{ "signIn": "phone", "grants": { "access": "new", "refresh": "new" } }],
          "routes": {
            "GET /items": { "json": ["a"] },
            "GET /items/{id}": {
              "cases": [{ "when": { "path": { "id": "0" } }, "status": 404, "json": { "none": "{{request.path.id}}" } }],
              "json": { "id": "{{request.path.id}}" }
            },
            "POST /pay": { "requires": "access", "status": 201, "json": {}, "then": [{ "state": { "order": "paid" } }] },
            "POST /refresh": { "requires": "refresh", "json": {}, "grants": { "access": "new", "refresh": "new" } },
            "GET /broken": { "status": 500, "json": { "error": "sorry" } }
          }
        }
        """#

    @discardableResult
    private func arm(_ stub: Stub, _ fault: JSONValue) throws -> JSONValue { try stub.admin(.post, "faults", fault) }

    @Test(.enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests"))
    func `has each header field that the command was given, also with the same name`() async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let fields = ["Set-Cookie: a=1", "set-cookie:b=2", "Retry-After: 5"].flatMap { ["--header", $0] }
            let words = ["fault", "arm", "GET /items", "503", "--url", "http://127.0.0.1:\(stub.port)"]
            #expect(try await SpawnedCommand.run(words + fields).status == 0)
            let response = try stub.client().get("/items")
            #expect(response.code == 503)
            #expect(response.fields.values(of: "Set-Cookie") == ["a=1", "b=2"])
            #expect(response.fields["Retry-After"] == "5")
        }
    }

    @Test func `answers the next requests with a status, and nothing else changes`() async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let client = try stub.client()
            try arm(stub, ["route": "GET /items", "status": 503, "times": 2, "headers": ["Retry-After": "7"]])
            for _ in 0..<2 {
                let response = try client.get("/items")
                #expect(response.code == 503)
                #expect(response.fields["Retry-After"] == "7")
            }
            #expect(try client.get("/items").text == #"["a"]"#)
            let exchanges = try stub.admin(.get, "journal")["exchanges"]
            #expect(exchanges?[0]?["armedFault"] == 1)
            #expect(exchanges?[0]?["answeredBy"] == "fault 1")
            #expect(exchanges?[0]?["route"] == "GET /items")
            #expect(exchanges?[2]?["armedFault"] == nil)
            #expect(try stub.admin(.get, "faults")["armed"] == [])
        }
    }

    @Test func `has the backend's own body for its status, or its own`() async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let client = try stub.client()
            try arm(stub, ["route": "GET /items/{id}", "status": 404])
            #expect(try client.get("/items/7").text == #"{"none":"7"}"#)
            try arm(stub, ["route": "GET /items/{id}", "status": 500])
            #expect(try client.get("/items/7").text == #"{"error":"sorry"}"#)
            try arm(stub, ["route": "GET /items/{id}", "status": 500, "json": ["id": "{{request.path.id}}"]])
            #expect(try client.get("/items/7").text == #"{"id":"7"}"#)
            try arm(stub, ["route": "GET /items/{id}", "text": "hello"])
            #expect(try client.get("/items/7").text == "hello")
            try arm(stub, ["route": "POST /pay", "status": 401])
            let refused = try client.call(.post, "/pay")
            #expect(refused.code == 401)
            #expect(refused.text == #"{"error":"refused"}"#)
            try arm(stub, ["route": "POST /pay", "status": 418])
            #expect(try client.call(.post, "/pay").problem == "armed-fault")
            #expect(try stub.admin(.get, "states")["states"]?["order"]?.string == "open")
        }
    }

    @Test func `has the header fields that its status requires`() async throws {
        let backend = #"""
            {
              "backend": "Shop", "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
              "guards": [{ "when": { "header": { "X-Version": "1" } }, "status": 426, "json": { "error": "old" } }],
              "wrongMethod": { "status": 405, "json": { "at": "{{request.path}}" } },
              "routes": {
                "GET /me": { "requires": "access", "json": {} }, "PATCH /me": { "empty": true }, "GET /open": { "json": {} }
              }
            }
            """#
        try await withStub(backend) { (stub) async throws in
            let client = try stub.client()
            try arm(stub, ["route": "GET /me", "status": 401])
            let refused = try client.get("/me")
            #expect(refused.code == 401 && refused.problem == "armed-fault")
            #expect(refused.fields["WWW-Authenticate"]?.hasPrefix("Bearer ") == true)
            try arm(stub, ["route": "GET /me", "status": 401, "json": [:]])
            #expect(try client.get("/me").fields["WWW-Authenticate"] != nil)
            try arm(stub, ["route": "GET /me", "status": 401, "headers": ["WWW-Authenticate": "Own"]])
            #expect(try client.get("/me").fields.values(of: "WWW-Authenticate") == ["Own"])
            try arm(stub, ["route": "GET /open", "status": 401])
            #expect(try client.get("/open").fields["WWW-Authenticate"] != nil)
            try arm(stub, ["route": "GET /open", "status": 407])
            #expect(try client.get("/open").fields["Proxy-Authenticate"] != nil)
            try arm(stub, ["route": "GET /me", "status": 405])
            let other = try client.get("/me")
            #expect(other.code == 405 && other.text == #"{"at":"/me"}"#)
            #expect(other.fields["Allow"] == "OPTIONS, PATCH")
            try arm(stub, ["route": "PATCH /me", "status": 405, "text": "no"])
            #expect(try client.call(.patch, "/me").fields["Allow"] == "GET, HEAD, OPTIONS")
            try arm(stub, ["route": "GET /open", "status": 426])
            #expect(try client.get("/open").text == #"{"error":"old"}"#)
        }
    }

    @Test func `has the contract's example, also where the scenario has no route`() async throws {
        try await withStub(
            try ScenarioLibrary(
                "/project/openapi.yaml",
                files: MemoryFiles([
                    "openapi.yaml": """
                    openapi: 3.1.0
                    info: {title: Notes, version: "1"}
                    paths:
                      /notes/{id}:
                        get:
                          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
                          responses:
                            "200": {description: x, content: {application/json: {example: {id: "1"}}}}
                            "404": {description: x, content: {application/json: {example: {error: lost}}}}
                    """
                ])
            )
        ) { (stub) async throws in
            let client = try stub.client()
            #expect(try stub.admin(.get, "routes")["operations"] == ["GET /notes/{id}"])
            try arm(stub, ["route": "GET /notes/{id}", "status": 404])
            let response = try client.get("/notes/5")
            #expect(response.code == 404)
            #expect(response.text == #"{"error":"lost"}"#)
            #expect(response.fields["Preference-Applied"] == nil)
            #expect(try client.get("/notes/5").code == 200)
            try arm(stub, ["route": "GET /notes/{id}", "fault": "reset"])
            #expect(throws: HTTPClientFailure.reset) { try client.get("/notes/5") }
        }
    }

    @Test func `ends by the clock`() async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let client = try stub.client()
            let armed = try arm(stub, ["route": "GET /items", "status": 500, "for": "30s"])
            #expect(armed["armed"]?[0]?["until"] == "2026-03-01T09:00:30Z")
            #expect(armed["armed"]?[0]?["times"] == nil)
            for _ in 0..<3 { #expect(try client.get("/items").code == 500) }
            try stub.advance("29s")
            #expect(try client.get("/items").code == 500)
            try stub.advance("1s")
            #expect(try stub.admin(.get, "faults")["armed"] == [])
            #expect(try client.get("/items").code == 200)
        }
    }

    @Test func `delays a response that otherwise stays as it is`() async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let client = try stub.client()
            try arm(stub, ["route": "GET /items", "latency": ["fixed": "2s", "clock": "virtual"]])
            try client.send(HTTPRequest(target: "/items"))
            try stub.untilDecided(1)
            #expect(try client.peek().isEmpty)
            try stub.advance("2s")
            #expect(try client.receive().text == #"["a"]"#)
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["armedFault"] == 1)
        }
    }

    @Test func `can be cleared alone, or with all others`() async throws {
        try await withStub(Self.backend) { (stub) async throws in
            for status in [500, 501, 502] {
                try arm(stub, ["route": "GET /items", "status": .number(JSONNumber(status))])
            }
            try arm(stub, ["route": "GET /items", "fault": "reset", "times": 3])
            let left = try stub.admin(.delete, "faults/2")
            #expect(left["armed"]?.array?.compactMap { $0["number"]?.int } == [1, 3, 4])
            #expect(try stub.client().call(.delete, "/__backlot/faults/2").code == 404)
            #expect(try stub.client().get("/items").code == 500)
            #expect(try stub.admin(.delete, "faults")["armed"] == [])
            #expect(try stub.client().get("/items").code == 200)
        }
    }

    @Test(arguments: [
        (#"{"route": "GET /item", "status": 500}"#, "GET /items"),
        (#"{"route": "GET /items"}"#, "status"),
        (#"{"status": 500}"#, "route"),
        (#"{"route": "GET /items", "status": 50}"#, "200"),
        (#"{"route": "GET /items", "status": 500, "time": 3}"#, "times"),
        (#"{"route": "GET /items", "status": 500, "for": "3"}"#, "3s"),
        (#"{"route": "GET /items", "status": 500, "for": "0s"}"#, "longer than 0s"),
        (#"{"route": "GET /items", "status": 500, "for": "0ms"}"#, "longer than 0s"),
        (#"{"route": "GET /items", "fault": "timeout"}"#, "never"),
        (#"{"route": "GET /items", "json": "{{request.path.id}}"}"#, "id"),
        (#"{"route": "GET /items", "json": 1, "text": "a"}"#, "json"),
        ("[]", "route"),
    ])
    func `that is not valid is refused with the remedy`(fault: String, remedy: String) async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let response = try stub.client().call(
                .post,
                "/__backlot/faults",
                ["Content-Type": "application/json"],
                fault
            )
            #expect(response.code == 400)
            #expect(try response.json["detail"]?.string?.contains(remedy) == true, "\(response.text)")
            #expect(try stub.admin(.get, "faults")["armed"] == [])
        }
    }

    @Test(arguments: [["status": 500], ["fault": "reset"]] as [JSONObject])
    func `has a limit`(fault: JSONObject) async throws {
        try await withStub(Self.backend) { (stub) async throws in
            var fault = fault
            fault["route"] = "GET /items"
            let event = #"{"route": "GET /items", "fault": "reset"}"#
            // One call arms them all, because the response to each call lists every fault.
            let all = JSONValue.array(Array(repeating: ["route": "GET /items", "fault": "reset"], count: 1_000))
            try stub.admin(.post, "events", all)
            for (part, body) in [
                ("faults", JSONValue.object(fault).text(.compact)), ("faults", event), ("events", event),
            ] {
                let response = try stub.client().call(
                    .post,
                    "/__backlot/\(part)",
                    ["Content-Type": "application/json"],
                    body
                )
                #expect(response.problem == "too-many-faults")
            }
            #expect(try stub.admin(.get, "faults")["armed"]?.array?.count == 1_000)
        }
    }

    @Test func `has header fields with several values and with values of the request`() async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let client = try stub.client()
            let headers: JSONValue = ["Set-Cookie": ["a=1", "b={{request.query.q}}"], "X-Q": "{{request.query.q}}"]
            // With the body of another route, with one of the fault, and without one.
            for own in [["status": 500], ["status": 503, "json": 1], ["status": 200]] as [JSONObject] {
                var fault = own
                fault["route"] = "GET /items"
                fault["headers"] = headers
                try arm(stub, .object(fault))
                let response = try client.get("/items?q=x;y")
                #expect(response.code == own["status"]?.int)
                #expect(response.fields.values(of: "Set-Cookie") == ["a=1", "b=x%3By"])
                #expect(response.fields.values(of: "X-Q") == ["x;y"])
                try arm(stub, .object(fault))
                #expect(try client.get("/items").problem == "request-lacks-value")
            }
        }
    }

    /// - Parameters:
    ///   - status: of the armed response to a refresh.
    ///   - rule: the rule by which the client that signs out then is blamed, if any.
    @Test(arguments: [(401, nil), (400, nil), (429, "B9"), (503, "B9")] as [(Int, String?)])
    func `blames a client only for what it may know`(status: Int, rule: String?) async throws {
        try await withStub(Self.backend) { (stub) async throws in
            let client = try stub.client()
            let tokens = try stub.admin(.get, "tokens")["devices"]?[0]?["tokens"]?.array ?? []
            let refresh = tokens.first { $0["kind"] == "refresh" }?["value"]?.string ?? ""
            try arm(stub, ["route": "POST /refresh", "status": .number(JSONNumber(status))])
            let body = #"{"refresh":"\#(refresh)"}"#
            let fields: HTTPFields = ["Content-Type": "application/json"]
            #expect(try client.call(.post, "/refresh", fields, body).code == status)
            try stub.admin(.post, "client", ["signedOut": true])
            let rules = try stub.admin(.get, "verdict")["rules"]?.array ?? []
            let violated = rules.filter { $0["status"] == "violated" || $0["status"] == "failed" }
            #expect(violated.compactMap { $0["number"]?.string } == (rule.map { [$0] } ?? []))
            // The refresh has not taken place.
            #expect(try client.call(.post, "/refresh", fields, body).code == 200)
        }
    }

    @Test func `of several clients at once answers as many requests as it says`() async throws {
        try await withStub(Self.backend, { $0.loops = 2 }) { (stub) async throws in
            try arm(stub, ["route": "GET /items", "status": 500, "times": 25])
            let codes = try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let client = try stub.client()
                        return try (0..<10).map { _ in try client.get("/items").code }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(codes.count { $0 == 500 } == 25)
            #expect(codes.count { $0 == 200 } == 55)
        }
    }
}
