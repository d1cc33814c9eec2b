import ContractRunner
import Findings
import Testing

@Suite struct `A matrix` {
    private func run(
        _ bugs: Set<ShelterBug> = [],
        _ options: MatrixOptions = MatrixOptions(quietTime: .milliseconds(300))
    ) async throws -> MatrixResult {
        try await Matrix(ShelterAdapter(bugs: bugs), contract: try ShelterContract.loaded(), options).run()
    }

    @Test func `finds nothing in a client that does it right, and waits for nothing`() async throws {
        let result = try await run()
        #expect(result.findings == [], "\(result)")
        #expect(result.cells.allSatisfy { $0.skipped == nil && $0.outcome != nil })
    }

    @Test func `tries every documented answer and every fault, in the order of the contract`() async throws {
        let cells = try await run([], MatrixOptions(operations: ["getPets"])).cells
        #expect(
            cells.map { "\($0.answer): \($0.outcome ?? "-")" } == [
                "200 some: value", "200 nameless: value", "204: value", "401: status(401)", "404: status(404)",
                "429: status(429)", "503: status(503)", "refused: connection", "reset: connection",
                "empty: connection", "cut: connection", "malformed: connection", "never: connection",
                "401 once: value", "expired, refresh 401: status(401)", "expired, refresh 429: status(429)",
                "expired, refresh 503: status(503)", "expired, refresh reset: connection",
                "expired, refresh empty: connection", "expired, refresh cut: connection",
                "expired, refresh malformed: connection", "expired, refresh never: connection",
            ]
        )
    }

    @Test(
        arguments: [
            (ShelterBug.wordForLimit, ["matrix/request"]), (.noToken, ["matrix/request", "matrix/not-replayed"]),
            (.asksNobody, ["matrix/no-request"]), (.noContentIsFailure, ["matrix/refused-answer"]),
            (.nameIsRequired, ["matrix/refused-answer"]), (.problemIsEmptyList, ["matrix/wrong-success"]),
            (.offlineIsEmptyList, ["matrix/wrong-success"]), (.neverComesBack, ["matrix/hang"]),
            (.refreshesForever, ["matrix/loop"]), (.insists, ["matrix/loop"]), (.pausesForever, ["matrix/loop"]),
            (.signsInAgain, ["matrix/wrong-operation"]), (.replaysAnother, ["matrix/wrong-operation"]),
            (.givesUpAfterRefresh, ["matrix/not-replayed"]), (.replaysWithOldToken, ["matrix/not-replayed"]),
            (.signsOutWhenRefreshFails, ["matrix/session-lost"]), (.signsOutOnFailure, ["matrix/session-lost"]),
            (.mixesTokens, ["matrix/tokens-changed"]), (.keepsOldRefreshToken, ["matrix/tokens-changed"]),
            (.leavesTokenBehind, ["matrix/tokens-changed"]),
        ]
    )
    func `finds every mistake by its name`(bug: ShelterBug, ids: [String]) async throws {
        let result = try await run([bug])
        let found = Set(result.findings.map(\.id))
        #expect(found.isSuperset(of: ids), "\(result)")
    }

    @Test func `has a mistake for every finding and a finding for every mistake`() async throws {
        var adapter = ShelterAdapter(left: ["addPet"])
        let contract = try ShelterContract.loaded()
        let result = try await Matrix(adapter, contract: contract, MatrixOptions(operations: ["addPet"])).run()
        #expect(result.findings.map(\.id) == ["matrix/no-adapter"])
        #expect(
            result.findings.first?.place?.position?.line
                == ShelterContract.line(of: "\"post\": {\n        \"operationId\": \"addPet\"")
        )
        adapter.omissions = ["addPet": "the app only reads"]
        let excused = try await Matrix(adapter, contract: contract, MatrixOptions(operations: ["addPet"])).run()
        #expect(excused.findings == [])
        #expect(excused.omissions.map(\.reason) == ["the app only reads"])
    }

    @Test func `chooses operations and findings by patterns`() async throws {
        var options = MatrixOptions(operations: ["sign*", "refresh"], checks: ["matrix/session-*"])
        options.quietTime = .milliseconds(300)
        let result = try await run([.signsOutWhenRefreshFails, .mixesTokens], options)
        #expect(Set(result.cells.map(\.operation)) == ["signIn", "signOut", "refresh"])
        #expect(Set(result.findings.map(\.id)) == ["matrix/session-lost"])
    }
}
