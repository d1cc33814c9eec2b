import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Testing

@testable import ProgramInterface
@testable import Simulation

/// The judgement on a change, from journals with written times.
@Suite struct `The judgement on a change` {
    /// A run of a story, whose journal contains a request at each time in milliseconds; each response takes 10 ms.
    private static func run(
        at times: [Int],
        outcome: String = "passed",
        failed: [JSONValue] = [],
        change: (inout [Exchange]) -> Void = { _ in }
    ) throws -> ProofRun {
        var recording = Recording()
        recording.evidence.roles.purposes = ["GET /notes": .resource]
        recording.evidence.exchanges = times.enumerated().map { index, time in
            var exchange = Exchange(number: UInt64(index + 1))
            exchange.route = "GET /notes"
            exchange.arrival = recording.evidence.epoch.advanced(by: .milliseconds(time))
            exchange.end = exchange.arrival.advanced(by: .milliseconds(10))
            return exchange
        }
        change(&recording.evidence.exchanges)
        let rules = failed.map { id -> JSONValue in ["id": id, "status": "failed"] }
        let story: JSONValue = ["outcome": .string(outcome), "rules": .array(rules)]
        return try ProofRun(seed: 1, story: story, journal: recording.json)
    }

    private static func broken(at times: [Int]) throws -> ProofRun {
        try run(at: times, outcome: "failed", failed: ["B1 no-refresh-after-401"])
    }

    private static func findings(
        _ before: [ProofRun],
        _ after: [ProofRun],
        slowed: [ProofRun] = []
    ) -> [Finding] {
        ProofJudgement("K1", named: nil, before: before, after: after, slowed: slowed).findings
    }

    @Test func `measures the longest pause that no response asked for`() throws {
        #expect(try Self.run(at: [0, 50, 450, 460]).longestPause == .milliseconds(390))
        #expect(try Self.run(at: [0]).longestPause == .zero)
        let asked = try Self.run(at: [0, 50, 450, 460]) { $0[1].response = HTTPResponse(status: HTTPStatus(503)) }
        #expect(asked.longestPause == .milliseconds(40))
        let restarted = try Self.run(at: [0, 50, 450, 460]) { exchanges in
            for index in 2...3 { exchanges[index].launch = 2 }
        }
        #expect(restarted.longestPause == .milliseconds(40))
        // An open request, during which the client may wait for its response.
        let open = try Self.run(at: [0, 50, 450]) { $0[0].end = $0[2].arrival }
        #expect(open.longestPause == .zero)
        #expect(open.served == ["GET /notes"])
    }

    @Test func `does not refuse a fix because of a pause, which may be work`() throws {
        // The run before the change ends at the bug, so it does not show the pause that the client has anyway.
        let found = Self.findings([try Self.broken(at: [0, 20])], [try Self.run(at: [0, 20, 40, 450])])
        #expect(found.map(\.id) == ["prove/waits"] && found.map(\.severity) == [.warning])
        #expect(found.first?.message.contains("pauses 400 ms") == true)
    }

    @Test func `reports a pause only if every run after the change has it, and none before it`() throws {
        let (quick, slow) = (try Self.run(at: [0, 20, 40]), try Self.run(at: [0, 20, 500]))
        #expect(Self.findings([try Self.broken(at: [0, 20])], [quick, slow]).isEmpty)
        #expect(Self.findings([try Self.broken(at: [0, 400])], [slow]).isEmpty)
        #expect(Self.findings([try Self.broken(at: [0, 20])], [slow, slow]).map(\.id) == ["prove/waits"])
    }

    @Test func `refuses a pause that hides the violation of a rule only while responses are quick`() throws {
        let (before, after) = (try Self.broken(at: [0, 20]), try Self.run(at: [0, 20, 500]))
        let refused = Self.findings([before], [after], slowed: [after, before])
        #expect(refused.map(\.id) == ["prove/waits"] && refused.map(\.severity) == [.error])
        #expect(refused.first?.message.contains("violates B1 no-refresh-after-401 again") == true)
        // Another failure may come from a time limit of the client; an expectation may count its further attempts.
        let other = try Self.run(at: [0], outcome: "failed", failed: ["B2 refresh-storm", "expect/count"])
        #expect(Self.findings([before], [after], slowed: [after, other]).map(\.severity) == [.warning])
        let counted = try Self.run(at: [0, 20], outcome: "failed", failed: ["expect/count"])
        #expect(Self.findings([counted], [after], slowed: [counted]).map(\.severity) == [.warning])
        // The change does not depend on the pause, which may be work, or a busy machine's.
        #expect(Self.findings([before], [after], slowed: [after, after]).isEmpty)
        // Without a pause, nothing is played again.
        let quick = try Self.run(at: [0, 20])
        #expect(Self.findings([before], [quick], slowed: [before]).isEmpty)
    }

    @Test func `refuses a change that does not pass, or that loses a route`() throws {
        let broken = try Self.broken(at: [0, 20])
        #expect(Self.findings([broken], [broken]).map(\.id) == ["prove/still-fails"])
        let passed = try Self.run(at: [0, 20])
        #expect(Self.findings([passed], [passed]).map(\.id) == ["prove/not-reproduced"])
        let lost = try Self.run(at: [])
        #expect(Self.findings([broken], [lost]).map(\.id) == ["prove/skips"])
    }
}
