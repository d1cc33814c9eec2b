import Basics
import ClientTesting
import Reports
import Testing

@Suite struct `A matrix` {
    private func run(
        _ bugs: Set<ShelterBug> = [],
        _ options: ResponseCheckOptions = ResponseCheckOptions(quietTime: .milliseconds(300))
    ) async throws -> ResponseCheckResult {
        try await ResponseCheck(ShelterAdapter(bugs: bugs), contract: try ShelterContract.loaded(), options).run()
    }

    @Test func `finds nothing in a client that does it right, and waits for nothing`() async throws {
        let result = try await run()
        #expect(result.findings == [], "\(result)")
        #expect(result.cells.allSatisfy { $0.skipped == nil && $0.outcome != nil })
    }

    @Test func `tries every documented response and every fault, in the order of the contract`() async throws {
        let cells = try await run([], ResponseCheckOptions(operations: ["getPets"])).cells
        #expect(
            cells.map { "\($0.answer): \($0.outcome ?? "-")" } == [
                "200 some: value", "200 nameless: value", "204: value", "401: status(401)", "404: status(404)",
                "429: status(429)", "503: status(503)", "refused: connection", "reset: connection",
                "empty: connection", "cut: connection", "malformed: connection", "never: connection",
                "401 once: value", "401 once, refresh without a new refresh token: value",
                "expired, refresh 401: status(401)", "expired, refresh 429: status(429)",
                "expired, refresh 503: status(503)", "expired, refresh reset: connection",
                "expired, refresh empty: connection", "expired, refresh cut: connection",
                "expired, refresh malformed: connection", "expired, refresh never: connection",
            ]
        )
    }

    private static let mistakes: [(bug: ShelterBug, ids: [String])] = [
        (.wordForLimit, ["responses/request"]), (.unknownParameter, ["responses/request"]),
        (.misspeltMember, ["responses/request"]), (.wordForDate, ["responses/request"]),
        (.asksTwice, ["responses/sent-twice"]),
        (.addsAgain, ["responses/sent-twice"]),
        (.otherScheme, ["responses/request"]), (.knocksForever, ["responses/loop"]),
        (.noToken, ["responses/request", "responses/not-replayed"]),
        (.asksNobody, ["responses/no-request"]), (.noContentIsFailure, ["responses/refused-response"]),
        (.nameIsRequired, ["responses/refused-response"]), (.problemIsEmptyList, ["responses/wrong-success"]),
        (.offlineIsEmptyList, ["responses/wrong-success"]), (.neverComesBack, ["responses/hang"]),
        (.refreshesForever, ["responses/loop"]), (.insists, ["responses/loop"]), (.pausesForever, ["responses/loop"]),
        (.signsInAgain, ["responses/wrong-operation"]), (.replaysAnother, ["responses/wrong-operation"]),
        (.givesUpAfterRefresh, ["responses/not-replayed"]), (.replaysWithOldToken, ["responses/not-replayed"]),
        (.signsOutWhenRefreshFails, ["responses/session-lost"]), (.signsOutOnFailure, ["responses/session-lost"]),
        (.mixesTokens, ["responses/tokens-changed"]), (.keepsOldRefreshToken, ["responses/tokens-changed"]),
        (.losesRefreshToken, ["responses/tokens-changed"]), (.leavesTokenBehind, ["responses/tokens-changed"]),
        (.ignoresRefusedSignOut, ["responses/wrong-success"]),
    ]

    @Test func `is tried with every mistake of the client`() {
        #expect(
            Set(Self.mistakes.map(\.bug)).union([
                .keepsPolling, .signsOutAnyway, .readsRefusals, .keepsRefusedSession, .storesRefreshTokenOnly,
                .signsOutWithOldToken,
            ])
                == Set(ShelterBug.allCases)
        )
    }

    @Test func `lets a client store its refresh token alone, and refresh first`() async throws {
        let result = try await run([.storesRefreshTokenOnly])
        #expect(result.findings == [], "\(result)")
    }

    @Test func `lets a sign-out ignore a refusal if it deletes the tokens`() async throws {
        let result = try await run([.signsOutAnyway], ResponseCheckOptions(operations: ["signOut"]))
        #expect(result.findings == [], "\(result)")
    }

    @Test(arguments: [
        #""examples": { "no": { "value": { "message": "no" } }, "old": { "value": { "message": "token expired" } } }"#,
        #""x-codes": "in the schema""#,
    ])
    func `refuses a token in the words that the contract has for one that has expired`(examples: String) async throws {
        let text = ShelterContract.text.replacing(#""example": { "message": "no" }"#, with: examples)
            .replacing(
                #""message": { "type": "string" }"#,
                with: #""message": { "type": "string", "enum": ["no", "token expired", "gone"] }"#
            )
        let contract = try ShelterContract.loaded(text)
        let result = try await ResponseCheck(ShelterAdapter(bugs: [.readsRefusals]), contract: contract).run()
        #expect(result.findings == [], "\(result)")
    }

    @Test(arguments: mistakes)
    func `finds every mistake by its name`(bug: ShelterBug, ids: [String]) async throws {
        let result = try await run([bug])
        let found = Set(result.findings.filter { $0.severity == .error }.map(\.id))
        #expect(found.isSuperset(of: ids), "\(result)")
    }

    @Test func `warns of work that a call leaves behind, once`() async throws {
        let result = try await run([.keepsPolling], ResponseCheckOptions(operations: ["getPets"]))
        #expect(result.findings.map(\.severity) == [.warning])
        #expect(result.findings.map(\.id) == ["responses/left-over"])
        #expect(result.findings.first?.message == "getPets ended with unfinished work: a pause")
    }

    @Test func `leaves out no refresh token where the contract requires neither token`() async throws {
        let text = ShelterContract.text.replacing(#""required": ["accessToken"],"#, with: "")
        let result = try await ResponseCheck(ShelterAdapter(), contract: try ShelterContract.loaded(text)).run()
        #expect(result.findings == [] && !result.cells.contains { $0.answer.contains("without") }, "\(result)")
    }

    @Test func `names another scheme once for all calls`() async throws {
        let result = try await run([.otherScheme])
        #expect(result.findings.map(\.id) == ["responses/request"], "\(result)")
        #expect(result.findings.first?.message.contains("Authorization with the scheme Token") == true, "\(result)")
    }

    @Test func `warns of a sign-out that is sent again with a replaced refresh token`() async throws {
        let result = try await run([.signsOutWithOldToken])
        #expect(result.findings.map(\.severity) == [.warning], "\(result)")
        let words = "signOut was sent again with the refresh token that the refresh has replaced"
        #expect(result.findings.first?.message == words, "\(result)")
    }

    @Test func `names a refresh that the adapter does not declare, and nothing that follows from it`() async throws {
        let adapter = ShelterAdapter(left: ["refresh"], omissions: ["refresh": "forgotten"])
        let result = try await ResponseCheck(adapter, contract: try ShelterContract.loaded()).run()
        #expect(Set(result.findings.map(\.id)) == ["responses/wrong-operation"], "\(result)")
        #expect(
            result.findings.first?.advice == "add the call that refreshes the tokens: Call(\"refresh\", .refresh)",
            "\(result)"
        )
        #expect(result.findings.count == 1, "\(result)")
    }

    @Test func `warns once of a session that continues with a refused refresh token`() async throws {
        let result = try await run([.keepsRefusedSession])
        #expect(result.findings.map(\.severity) == [.warning], "\(result)")
        #expect(
            result.findings.first?.message
                == "the client keeps the refresh token that refresh has refused with 401, and stays signed in"
        )
    }

    @Test func `points at the response, and names the place where decoding failed`() async throws {
        let result = try await run([.nameIsRequired], ResponseCheckOptions(operations: ["getPets"]))
        let finding = try #require(result.findings.first)
        #expect(
            finding.message
                == "getPets, answered with 200 nameless, threw undecodable, because / does not contain name"
        )
        #expect(finding.place?.file == ShelterContract.path)
        #expect(
            finding.place?.position?.line
                == ShelterContract.line(of: "\"200\": {\n            \"description\": \"all pets")
        )
    }

    @Test func `asks the adapter where tokens are granted, and judges none where nobody knows`() async throws {
        let text = ShelterContract.text.replacing("accessToken", with: "a").replacing("refreshToken", with: "r")
        let contract = try ShelterContract.loaded(text)
        var adapter = ShelterAdapter(bugs: [.mixesTokens], members: TokenMembers(access: "a", refresh: "r"))
        #expect(try await ResponseCheck(adapter, contract: contract).run().findings == [])
        adapter.saysGrants = true
        let found = try await ResponseCheck(adapter, contract: contract).run().findings
        #expect(Set(found.map(\.id)) == ["responses/tokens-changed"])
        #expect(found.first?.message.contains("the access token is stored as the refresh token") == true)
    }

    @Test func `misses an operation that the adapter neither has nor leaves out with a reason`() async throws {
        var adapter = ShelterAdapter(left: ["addPet"])
        let contract = try ShelterContract.loaded()
        let result = try await ResponseCheck(adapter, contract: contract, ResponseCheckOptions(operations: ["addPet"]))
            .run()
        #expect(result.findings.map(\.id) == ["responses/no-adapter"])
        #expect(
            result.findings.first?.place?.position?.line
                == ShelterContract.line(of: "\"post\": {\n        \"operationId\": \"addPet\"")
        )
        adapter.omissions = ["addPet": "the app only reads"]
        let excused = try await ResponseCheck(adapter, contract: contract, ResponseCheckOptions(operations: ["addPet"]))
            .run()
        #expect(excused.findings == [])
        #expect(excused.omissions.map(\.reason) == ["the app only reads"])
    }

    @Test func `chooses operations and findings by patterns`() async throws {
        var options = ResponseCheckOptions(operations: ["sign*", "refresh"], checks: ["responses/session-*"])
        options.quietTime = .milliseconds(300)
        let result = try await run([.signsOutWhenRefreshFails, .mixesTokens], options)
        #expect(Set(result.cells.map(\.operation)) == ["signIn", "signOut", "refresh"])
        #expect(Set(result.findings.map(\.id)) == ["responses/session-lost"])
    }

    @Test(arguments: [false, true])
    func `F9 names the statuses that end a session, and goes by them`(isNamed: Bool) async throws {
        var options = ResponseCheckOptions(operations: ["refresh"], checks: ["responses/session-lost"])
        options.quietTime = .milliseconds(300)
        var adapter = ShelterAdapter(bugs: [.signsOutWhenRefreshFails])
        if isNamed { adapter.refusals.endingRefresh.formUnion([429, 503]) }
        let result = try await ResponseCheck(adapter, contract: try ShelterContract.loaded(), options).run()
        let told = result.findings.filter { $0.message.contains("to the statuses that end a session") }
        #expect(told.isEmpty == isNamed, "\(result)")
    }

    @Test func `knows nothing of an operation that the contract does not have`() async throws {
        let adapter = ShelterAdapter(omissions: ["getPet": "never needed"])
        let result = try await ResponseCheck(adapter, contract: try ShelterContract.loaded()).run()
        #expect(result.findings.map(\.id) == ["responses/no-operation"])
        #expect(result.findings.first?.advice == "did you mean getPets?")
    }

    @Test func `is reported with a check for each call and what came of each response`() async throws {
        let result = try await run([.offlineIsEmptyList], ResponseCheckOptions(operations: ["getPets"]))
        let report = result.report
        #expect(report.checks.map(\.name).prefix(3) == ["getPets 200 some", "getPets 200 nameless", "getPets 204"])
        #expect(report.checks.allSatisfy { $0.group == "Shelter" })
        #expect(report.verdict == .failed)
        let line = try #require(report.clients.first)
        #expect(line.operation == "getPets")
        #expect(line.answers.filter { !$0.isSound }.map(\.answer).prefix(2) == ["refused", "reset"])
    }

    @Test func `reports a fault of several calls once, and passes none of them`() async throws {
        let result = try await run([.offlineIsEmptyList], ResponseCheckOptions(operations: ["getPets"]))
        let faults = ["refused", "reset", "empty", "cut", "malformed", "never"]
        let wrong = result.cells.filter { $0.outcome == "value" && faults.contains($0.answer) }
        let first = try #require(wrong.first)
        // One for the faults of the connection, and one for those of the refresh.
        #expect(result.findings.map(\.id) == ["responses/wrong-success", "responses/wrong-success"])
        #expect(
            first.findings.map(\.message) == [
                "getPets, with no server listening, returned a value; \(wrong.count - 1) other calls did the same: "
                    + wrong.dropFirst().map { "getPets \($0.answer)" }.joined(upTo: 4)
            ]
        )
        let checks = result.report.checks.filter { check in
            !check.repeated.isEmpty && faults.contains { check.name == "getPets \($0)" }
        }
        #expect(checks.map(\.name) == wrong.dropFirst().map { "getPets \($0.answer)" })
        #expect(checks.allSatisfy { result.report.outcome(of: $0) == .failed })
    }

    @Test func `tells what the platform does by itself, and what would really wait`() async throws {
        let options = ResponseCheckOptions(operations: ["signIn"], network: .urlSession)
        let result = try await run([], options)
        #expect(result.facts == PlatformFact.all)
        #expect(result.cells.filter { $0.skipped != nil }.map(\.answer) == ["never"])
        #expect(result.report.summary.count { $0.hasPrefix("urlsession/") } == PlatformFact.all.count)
    }
}
