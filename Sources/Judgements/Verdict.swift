package import Findings
package import ProjectFiles
package import ScenarioFormat

/// What a story says about the client that played it.
package struct Verdict: Sendable {
    package enum Outcome: String, Sendable, Hashable {
        case passed
        case failed
        /// Nothing is known to be wrong, and not all is known to be right.
        case incomplete
    }

    /// Why nothing could be judged, which is never a pass.
    package enum Obstacle: String, Sendable, Hashable {
        case nothingExpected = "nothing-expected"
        case noRequest = "no-request"
    }

    package let outcome: Outcome
    package let obstacle: Obstacle?
    /// In the order of the file.
    package let expectations: [JudgedExpectation]
    /// What was wrong or unknown.
    package let findings: [Finding]

    /// Holds a session against what its story expects.
    package init(on expectations: [Expectation], by evidence: Evidence, in sources: SourceMap) {
        let judged = expectations.map { expectation in
            var judged = evidence.judge(expectation.content).lacking(evidence.lost)
            judged.place = sources.place(of: expectation.position)
            return judged
        }
        self.expectations = judged
        obstacle = judged.isEmpty ? .nothingExpected : evidence.isSilent ? .noRequest : nil
        if judged.contains(where: { $0.status == .failed }) {
            outcome = .failed
        } else if obstacle != nil || judged.contains(where: { $0.status == .incomplete }) {
            outcome = .incomplete
        } else {
            outcome = .passed
        }
        findings = [obstacle?.finding].compactMap { $0 } + judged.compactMap(\.finding)
    }

    /// The verdict as a sentence without a closing full stop.
    package var summary: String {
        if obstacle == .nothingExpected { return "nothing was expected, so there is nothing to judge" }
        let total = expectations.count
        let failed = expectations.count { $0.status == .failed }
        let unknown = expectations.count { $0.status == .incomplete }
        var parts = obstacle == .noRequest ? ["no request arrived"] : []
        if failed > 0 { parts.append("\(failed) of \(Self.expectations(total)) failed") }
        if unknown > 0 {
            let whole = failed > 0 ? "" : " of \(Self.expectations(total))"
            parts.append("\(unknown)\(whole) cannot be told")
        }
        return parts.isEmpty ? "\(Self.expectations(total)) held" : parts.joined(separator: ", ")
    }

    private static func expectations(_ count: Int) -> String {
        count == 1 ? "1 expectation" : "\(count) expectations"
    }
}

extension Verdict.Obstacle {
    fileprivate var finding: Finding {
        switch self {
        case .nothingExpected:
            Finding(
                .warning,
                id: "expect/nothing-expected",
                "nothing was expected, so there is nothing to judge",
                advice: "play a story that has \"expect\""
            )
        case .noRequest:
            Finding(
                .warning,
                id: "expect/no-request",
                "no request arrived, so there was no client to judge",
                advice: "check that the client's base URL is the server's"
            )
        }
    }
}

extension Evidence {
    fileprivate func judge(_ content: Expectation.Content) -> JudgedExpectation {
        switch content {
        case .exchanges(let pattern, let count, let relations, let limit):
            judge(pattern, count, relations, within: limit)
        case .order(let patterns): judge(order: patterns)
        case .exit(let code): judge(exit: code)
        case .token(let kind, let device, let standings): judge(token: kind, of: device, standings)
        case .states(let states): judge(states: states)
        case .client(let facts, let orUnknown): judge(client: facts, orUnknown: orUnknown)
        }
    }
}
