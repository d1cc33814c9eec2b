package import Basics
package import JSON
package import ScenarioFormat

extension Verdict {
    /// Holds a session against what its story expects and what every client has to do.
    package init(on scenario: Scenario, by evidence: Evidence, in sources: SourceMap) {
        let isMeantSilent = scenario.story?.isSilent ?? false
        var expectations = scenario.expectations.map { expectation in
            var judged = evidence.judge(expectation.content).lacking(evidence.lost)
            judged.place = sources.place(of: expectation.position)
            return judged
        }
        if isMeantSilent { expectations.append(evidence.judgeSilence()) }
        let obstacle: Obstacle? =
            expectations.isEmpty ? .nothingExpected : evidence.isSilent && !isMeantSilent ? .noRequest : nil
        if !evidence.isSilent {
            expectations += evidence.judgeRaces(of: scenario.gates, in: sources)
            expectations += evidence.judgeParts(of: scenario, in: sources)
        }
        let rules = RuleResult.all(on: scenario, by: evidence)
        let exceptions = Finding.exceptions(rules, expectations, evidence)
        let outcome: Outcome
        if expectations.contains(where: { $0.status == .failed })
            || rules.contains(where: { $0.status == .failed })
        {
            outcome = .failed
        } else if obstacle != nil || exceptions != nil || expectations.contains(where: { $0.status == .incomplete }) {
            outcome = .incomplete
        } else {
            outcome = .passed
        }
        self.init(
            outcome: outcome,
            obstacle: obstacle,
            expectations: expectations,
            rules: rules,
            findings: [obstacle?.finding].compactMap { $0 } + expectations.compactMap(\.finding)
                + rules.flatMap(\.findings) + [exceptions].compactMap { $0 }
        )
    }
}

extension Finding {
    /// That rules could not be passed, where nothing else says that exchanges are lost.
    fileprivate static func exceptions(
        _ rules: [RuleResult],
        _ expectations: [ExpectationResult],
        _ evidence: Evidence
    ) -> Finding? {
        guard !evidence.isSilent, let reason = rules.first(where: { $0.status == .notJudged })?.reason,
            !expectations.contains(where: { $0.rule == "expect/lost-exchanges" })
        else { return nil }
        return Finding(
            .warning,
            id: "expect/lost-exchanges",
            "\(reason), so what the client did with its tokens cannot be told",
            advice: "let the journal keep more with serve --journal all, and do not clear it"
        )
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
    fileprivate func judge(_ content: Expectation.Content) -> ExpectationResult {
        switch content {
        case .exchanges(let pattern, let count, let relations, let limit, let gap):
            judge(pattern, count, relations, within: limit, gap)
        case .items(let pattern, let count): judge(items: pattern, count)
        case .order(let patterns): judge(order: patterns)
        case .exit(let code): judge(exit: code)
        case .token(let kind, let device, let standings): judge(token: kind, of: device, standings)
        case .states(let states): judge(states: states)
        case .client(let facts, let orUnknown): judge(client: facts, orUnknown: orUnknown)
        }
    }
}
