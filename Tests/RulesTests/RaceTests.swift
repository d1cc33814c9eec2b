import Basics
import HTTPCodec
import Rules
import ScenarioFormat
import Simulation
import Testing

/// Races that a story arranges, and stories in which nothing is to happen.
@Suite struct `A story's own demands` {
    private static let race = """
        "hold": {"requests": "GET /notes", "until": 3},
        "routes": {"GET /notes": {"json": []}}, "expect": [{"request": "GET /notes"}]
        """
    private static let silence = """
        "id": "quiet", "title": "Quiet", "silent": true, "routes": {"GET /notes": {"json": []}}
        """

    /// The verdict after so many requests that come at once, and perhaps a while of quiet.
    private func verdict(_ members: String, requests: Int, quiet: Bool = false) throws -> Verdict {
        let loaded = try LoadedScenario(members: members)
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        var session = loaded.session(at: now)
        let request = IncomingRequest(HTTPRequest(method: .get, target: "/notes"))
        for _ in 0..<requests { _ = session.step(.request(request), at: now) }
        if quiet {
            now = now.advanced(by: .seconds(1))
            session.openQuietGates(at: now)
        }
        return Verdict(on: loaded.scenario, by: Evidence(session, at: now), in: loaded.sources)
    }

    @Test(arguments: [(1, false, "held 1"), (2, false, "held 2"), (2, true, "held 2")])
    func `are open when a race was not reached, and it says how many were held`(
        requests: Int,
        quiet: Bool,
        words: String
    ) throws {
        let verdict = try verdict(Self.race, requests: requests, quiet: quiet)
        #expect(verdict.outcome != .passed)
        let race = try #require(verdict.expectations.first { $0.id == "expect/race-not-reached" })
        #expect(race.status == .incomplete)
        #expect(race.sentence.hasPrefix("the race at gate 1 was not reached: the gate waited for 3 requests in flight"))
        #expect(race.sentence.hasSuffix(words))
    }

    @Test func `are met when a race was reached`() throws {
        let verdict = try verdict(Self.race, requests: 3)
        #expect(verdict.outcome == .passed && verdict.findings.isEmpty)
    }

    @Test func `are open when a race took place less often than it should`() throws {
        let twice = Self.race.replacing("\"until\": 3", with: "\"until\": 3, \"times\": 2")
        let verdict = try verdict(twice, requests: 3)
        #expect(verdict.outcome == .incomplete && verdict.summary.hasSuffix(", a race was not reached"))
        let message = try #require(verdict.findings.first?.message)
        #expect(message == "the race at gate 1 was reached only once instead of twice")
        #expect(try self.verdict(twice, requests: 6).outcome == .passed)
    }

    @Test func `are reported, and do not count, where the race is optional`() throws {
        let optional = Self.race.replacing("\"until\": 3", with: "\"until\": 3, \"optional\": true")
        let verdict = try verdict(optional, requests: 1)
        #expect(verdict.outcome == .passed && verdict.findings.isEmpty && verdict.summary == "1 expectation held")
        let race = try #require(verdict.expectations.first { $0.id == "expect/optional-part" })
        #expect(race.status == .held)
        #expect(
            race.sentence == "the race at gate 1 was not reached: the gate waited for 3 requests in flight and held 1"
        )
    }

    @Test func `are met by silence where nothing is to be sent, and by nothing else`() throws {
        #expect(try verdict(Self.silence, requests: 0).outcome == .passed)
        let spoken = try verdict(Self.silence, requests: 2)
        #expect(spoken.outcome == .failed)
        #expect(spoken.findings.map(\.id) == ["expect/silent"])
        #expect(spoken.findings.first?.message.contains("2 arrived: exchanges 1 and 2") == true)
    }
}
