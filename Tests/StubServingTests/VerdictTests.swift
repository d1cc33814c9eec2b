import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// Clients that play a story over sockets, and what the story says about them.
@Suite(.timeLimit(.minutes(15)))
struct VerdictTests {
    private func withReturningUser(_ kind: SelectorKind = .fromEnvironment, _ body: (Stub) async throws -> Void)
        async throws
    {
        let library = try ScenarioLibrary("\(Project.folder)/Scenarios/smeem/splash-refresh-expired.json")
        try await withStub(library, { $0.selector = kind }, body)
    }

    /// Tries to refresh so many times, as an app does that comes back after two weeks.
    private func refresh(_ stub: Stub, times: Int, session: String = "default") throws {
        let devices = try stub.admin(.get, "tokens?session=\(session)")["devices"]?.array
        let tokens = try #require(devices?.first?["tokens"]?.array)
        let token = try #require(tokens.first { $0["kind"] == "refresh" }?["value"]?.string)
        let client = try stub.client()
        for _ in 0..<times {
            let fields = HTTPFields.bearer(token).adding("Backlot-Session", session)
            #expect(try client.call(.post, "/api/v2/auth/token", fields).code == 401)
        }
    }

    private func sentences(_ verdict: JSONValue) -> [String] {
        (verdict["expectations"]?.array ?? []).map {
            "\($0["status"]?.string ?? ""): \($0["message"]?.string ?? "")"
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A client that shows its start screen after one refused refresh passes`(kind: SelectorKind) async throws {
        try await withReturningUser(kind) { stub in
            _ = try stub.client().get("/api/v2/versions/client/app")
            try refresh(stub, times: 1)
            try stub.admin(.post, "client", ["screen": "start"])
            let verdict = try stub.admin(.get, "verdict")
            #expect(verdict["verdict"] == "passed")
            #expect(verdict["session"] == "default" && verdict["story"] == "SM-03")
            #expect(verdict["summary"] == "3 expectations held")
            #expect(verdict["findings"] == [])
            #expect(
                sentences(verdict) == [
                    "held: POST /api/v2/auth/token at most once with status 401: exchange 2",
                    "held: GET /api/v2/diaries at most once with status 401, "
                        + "not after POST /api/v2/auth/token with status 401",
                    #"held: the client to report screen "start", or to send POST /api/v2/auth with status 201"#,
                ]
            )
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A client that goes on trying fails, with the place and the exchanges`(kind: SelectorKind) async throws {
        try await withReturningUser(kind) { stub in
            try refresh(stub, times: 3)
            _ = try stub.client().get("/api/v2/diaries?start=2026-03-01&end=2026-03-31")
            try stub.admin(.post, "client", ["screen": "splash"])
            let verdict = try stub.admin(.get, "verdict")
            #expect(verdict["verdict"] == "failed")
            #expect(verdict["summary"] == "3 of 3 expectations failed, found B10 calls-after-invalid-refresh")
            #expect(
                sentences(verdict) == [
                    "failed: expected POST /api/v2/auth/token at most once with status 401, "
                        + "but it arrived 3 times: exchanges 1, 2 and 3",
                    "failed: expected every GET /api/v2/diaries with status 401 not after POST /api/v2/auth/token "
                        + "with status 401, but exchange 4 arrived later than exchange 1",
                    #"failed: expected the client to report screen "start", or to send POST /api/v2/auth "#
                        + #"with status 201, but it reported screen "splash""#,
                ]
            )
            #expect(verdict["expectations"]?[0]?["exchanges"] == [1, 2, 3])
            #expect(verdict["expectations"]?[0]?["explainedBy"]?["rule"] == "B10 calls-after-invalid-refresh")
            let ids = verdict["findings"]?.array?.map { $0["id"]?.string ?? "" }
            #expect(ids == ["B10 calls-after-invalid-refresh", "expect/client"])
            let finding = try #require(verdict["findings"]?[1])
            #expect(finding["severity"] == "error" && finding["id"] == "expect/client")
            #expect(finding["file"]?.string?.hasSuffix("Scenarios/smeem/splash-refresh-expired.json") == true)
            #expect(finding["line"] == 13 && finding["column"] == 5)
        }
    }

    @Test func `A client that says nothing about itself leaves the verdict open`() async throws {
        try await withReturningUser { stub in
            try refresh(stub, times: 1)
            let verdict = try stub.admin(.get, "verdict")
            #expect(verdict["verdict"] == "incomplete")
            #expect(verdict["findings"]?[0]?["id"] == "expect/unknown-fact")
            #expect(verdict["findings"]?[0]?["severity"] == "warning")
        }
    }

    @Test func `Nobody passes without a request, or without expectations`() async throws {
        try await withReturningUser { stub in
            try stub.admin(.post, "client", ["screen": "splash"])
            let silent = try stub.admin(.get, "verdict")
            #expect(silent["verdict"] == "failed" && silent["obstacle"] == "no-request")
            #expect(silent["summary"] == "no request arrived, 1 of 3 expectations failed")
        }
        let plain = #"{"backend": "Plain", "routes": {"GET /": {"empty": true}}}"#
        try await withStub(plain) { stub in
            _ = try stub.client().get("/")
            let verdict = try stub.admin(.get, "verdict")
            #expect(verdict["verdict"] == "incomplete" && verdict["obstacle"] == "nothing-expected")
            #expect(stub.server.verdicts.isEmpty)
        }
    }

    @Test func `Each session has its own facts and its own verdict`() async throws {
        try await withReturningUser { stub in
            try stub.admin(.post, "sessions", ["name": "one"])
            try refresh(stub, times: 1, session: "one")
            try stub.admin(.post, "client?session=one", ["screen": "start"])
            #expect(try stub.admin(.get, "client") == ["client": [:]])
            #expect(try stub.admin(.get, "verdict?session=one")["verdict"] == "passed")
            #expect(try stub.admin(.get, "verdict")["obstacle"] == "no-request")
            // Nobody meant the default session, so the end of the server does not tell about it.
            #expect(stub.server.verdicts.map(\.session) == ["one"])
            #expect(stub.server.verdicts.map(\.story) == ["SM-03"])
        }
    }

    // MARK: The command

    private func runVerdict(port: UInt16) async throws -> SpawnedProgram.End {
        try await SpawnedCommand.run(["verdict", "--url", "http://127.0.0.1:\(port)"])
    }

    @Test(.enabled(if: SpawnedCommand.executable != nil, "The command is built with the package's executables"))
    func `The command tells passed, failed and not to be judged apart`() async throws {
        var left: UInt16 = 0
        try await withReturningUser { stub in
            left = stub.port
            try refresh(stub, times: 1)
            let open = try await runVerdict(port: stub.port)
            #expect(open.status == 1)
            #expect(open.output.hasPrefix("SM-03 incomplete: 1 of 3 expectations could not be decided\n"))
            try stub.admin(.post, "client", ["screen": "start"])
            let passed = try await runVerdict(port: stub.port)
            #expect(passed.status == 0)
            #expect(
                passed.output == """
                    SM-03 passed: 3 expectations held
                      held        POST /api/v2/auth/token at most once with status 401: exchange 1
                      held        GET /api/v2/diaries at most once with status 401, \
                    not after POST /api/v2/auth/token with status 401
                      held        the client to report screen "start", or to send POST /api/v2/auth with status 201
                      29 rules: 29 held

                    """
            )
            try refresh(stub, times: 1)
            #expect(try await runVerdict(port: stub.port).status == 1)
        }
        try await withStub(#"{"backend": "Plain", "routes": {"GET /": {"empty": true}}}"#) { stub in
            let exceptions = try await runVerdict(port: stub.port)
            #expect(exceptions.status == 2)
            #expect(exceptions.output.hasPrefix("incomplete: the story expects nothing"))
        }
        #expect(try await runVerdict(port: left).status == 2)
    }

    // MARK: Facts

    @Test func `Facts are kept, replaced and forgotten with the session's life`() async throws {
        try await withReturningUser { stub in
            let journal = try stub.admin(.get, "journal?canonical=true")
            #expect(try stub.admin(.post, "client", ["screen": "splash"]) == ["client": ["screen": "splash"]])
            let facts: JSONValue = ["screen": "home", "launches": 2, "signedOut": false]
            #expect(try stub.admin(.post, "client", facts) == ["client": facts])
            #expect(try stub.admin(.get, "client") == ["client": facts])
            #expect(try stub.admin(.get, "journal?canonical=true") == journal)
            try stub.admin(.post, "scenario", ["reset": true])
            #expect(try stub.admin(.get, "client") == ["client": [:]])
        }
    }

    @Test(arguments: [
        ("", "Send an object of facts", 400), ("[]", "not array", 400), ("{}", "Send an object of facts", 400),
        (#"{"screen": null}"#, "not null", 400), (#"{"screen": ["home"]}"#, "not array", 400),
        (#"{"ok": true, "screen": {"name": "home"}}"#, "not object", 400),
        (#"{"two words": 1}"#, #""two words" is not a valid fact name"#, 400),
        (#"{"": 1}"#, "is not a valid fact name", 400), (#"{"1st": 1}"#, "is not a valid fact name", 400),
        (#"{"a": 1, "a": 2}"#, "a", 400), ("{", "1:2", 400),
        (#"{"long": "\#(String(repeating: "x", count: 1_025))"}"#, "not a longer one", 400),
    ])
    func `What is no fact is refused as a whole`(body: String, detail: String, status: Int) async throws {
        try await withReturningUser { stub in
            let fields: HTTPFields = ["Content-Type": "application/json"]
            let response = try stub.client().call(.post, "/__backlot/client", fields, body)
            #expect(response.code == status)
            let sentence = try response.json["detail"]?.string ?? ""
            #expect(sentence.contains(detail), "\(sentence)")
            #expect(try stub.admin(.get, "client") == ["client": [:]])
        }
    }

    @Test func `A session keeps so many facts and no more`() async throws {
        try await withReturningUser { stub in
            for part in 0..<2 {
                let facts = JSONObject((0..<128).map { ("fact-\(part)-\($0)", JSONValue.number(1)) })
                try stub.admin(.post, "client", .object(facts))
            }
            try stub.admin(.post, "client", ["fact-0-0": 2])
            let fields: HTTPFields = ["Content-Type": "application/json"]
            let response = try stub.client().call(.post, "/__backlot/client", fields, #"{"more": 1}"#)
            #expect(response.code == 400 && response.problem == "bad-fact")
        }
    }
}
