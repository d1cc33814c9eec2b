import Basics
import HTTPCodec
import Rules
import ScenarioFormat
import Simulation
import Testing

@Suite struct `A rule that is not passed` {
    private static let members = """
        "clock": {"frozen": true}, "accounts": {"ann": {}}, "given": [{"signIn": "phone", "ago": "3h"}],
        "tokens": {"kinds": {"access": {"lifetime": "1h"}, "refresh": {"lifetime": "30d"}}},
        "routes": {
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new"}, "json": {}},
          "GET /notes": {"requires": "access", "json": []}},
        "expect": [{"request": "GET /notes"}]
        """

    /// The verdict on a client that asks so often with a dead token and never refreshes.
    private func verdict(_ more: String = "", requests: Int = 1, forgetting: Bool = false) throws -> Verdict {
        let loaded = try LoadedScenario(members: more + Self.members)
        let now = MonotonicTime(nanoseconds: 1_000_000_000)
        var session = loaded.session(at: now)
        let token = try #require(session.ledger.token(id: "access-1")?.value)
        for _ in 0..<requests {
            let request = HTTPRequest(method: .get, target: "/notes", fields: ["Authorization": "Bearer \(token)"])
            session.end(session.decide(IncomingRequest(request), at: now).exchange, .sent, at: now)
        }
        if forgetting { session.clearJournal() }
        return Verdict(on: loaded.scenario, by: Evidence(session, at: now), in: loaded.sources)
    }

    @Test func `fails a story otherwise`() throws {
        let verdict = try verdict()
        #expect(verdict.outcome == .failed)
        #expect(verdict.rules.filter { $0.status == .failed }.map { $0.number } == ["B1"])
    }

    @Test(arguments: ["B1", "no-refresh-after-401"])
    func `is excused with its reason, by number or by name`(_ name: String) throws {
        let verdict = try verdict("\"exceptions\": {\"\(name)\": \"it has no store\"}, ")
        #expect(verdict.outcome == .passed)
        #expect(verdict.rules[0].status == .excused && verdict.rules[0].sentence == "it has no store")
        #expect(verdict.rules.dropFirst().allSatisfy { $0.status == .held })
    }

    @Test func `cannot be told where exchanges are lost`() throws {
        let verdict = try verdict(requests: 2, forgetting: true)
        #expect(verdict.outcome == .incomplete)
        #expect(verdict.rules.allSatisfy { $0.status == .notJudged })
        #expect(verdict.rules.first?.sentence == "2 exchanges are no longer in the journal")
    }

    @Test func `is not passed on a client that sends nothing`() throws {
        let verdict = try verdict(requests: 0)
        #expect(verdict.outcome != .passed)
        #expect(verdict.rules.allSatisfy { $0.status == .notJudged && $0.sentence == "no request arrived" })
    }
}
