package import Basics
package import JSON
package import ScenarioFormat

/// What a story says about the client that was run with it.
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
    /// In the order of the file; what the story demands beside its list, and races that were not reached, and
    /// what the story adds and was not reached, come last.
    package let expectations: [ExpectationResult]
    /// By their numbers; empty where the backend has no tokens.
    package let rules: [RuleResult]
    /// What was wrong or unknown.
    package let findings: [Finding]
}

extension Verdict {
    /// The verdict as a sentence without a closing full stop.
    package var summary: String {
        let failures = failedRules.map { [$0] } ?? []
        if obstacle == .nothingExpected {
            return (["nothing was expected"] + (failures.isEmpty ? ["so there is nothing to judge"] : failures))
                .joined(separator: ", ")
        }
        let races = expectations.count(where: \.isRace)
        let unplayed = expectations.count(where: \.isUnplayedPart)
        let total = expectations.count - races - unplayed
        let failed = expectations.count { $0.status == .failed }
        let unknown = expectations.count { $0.status == .incomplete } - races - unplayed
        var parts = obstacle == .noRequest ? ["no request arrived"] : []
        if failed > 0 { parts.append("\(failed) of \(Self.expectations(total)) failed") }
        if unknown > 0 {
            let whole = failed > 0 ? "" : " of \(Self.expectations(total))"
            parts.append("\(unknown)\(whole) cannot be told")
        }
        if parts.isEmpty { parts.append("\(Self.expectations(total)) held") }
        parts += failures
        let inconclusive = rules.count { $0.status == .inconclusive }
        if inconclusive > 0 {
            parts.append(inconclusive == 1 ? "1 rule is inconclusive" : "\(inconclusive) rules are inconclusive")
        }
        if races > 0 { parts.append(races == 1 ? "a race was not reached" : "\(races) races were not reached") }
        if unplayed > 0 {
            parts.append(
                unplayed == 1 ? "a part of the story was not played" : "\(unplayed) parts of the story were not played"
            )
        }
        return parts.joined(separator: ", ")
    }

    /// The names of those that failed: `found B2 refresh-storm and B7 request-not-replayed`.
    private var failedRules: String? {
        let failed = rules.filter { $0.status == .failed }.map(\.profile.id)
        return failed.isEmpty ? nil : "found \(Sentences.list(failed, "and"))"
    }

    private static func expectations(_ count: Int) -> String {
        count == 1 ? "1 expectation" : "\(count) expectations"
    }
}

extension ExpectationResult {
    /// Whether it reports a race that did not take place.
    fileprivate var isRace: Bool { rule == "expect/race-not-reached" }

    /// Whether it reports something that the story adds and that was not reached.
    fileprivate var isUnplayedPart: Bool { rule == "expect/not-played" }
}

extension Verdict {
    /// The verdict as a document.
    package var json: JSONObject {
        var object = JSONObject()
        object["verdict"] = .string(outcome.rawValue)
        if let obstacle { object["obstacle"] = .string(obstacle.rawValue) }
        object["summary"] = .string(summary)
        object["expectations"] = .array(expectations.map(\.json))
        if !rules.isEmpty { object["rules"] = .array(rules.map(\.json)) }
        object["findings"] = .array(findings.map(\.json))
        return object
    }
}

extension ExpectationResult {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["status"] = .string(status.rawValue)
        object["rule"] = .string(rule)
        object["wanted"] = .string(wanted)
        object["message"] = .string(message)
        if let advice { object["advice"] = .string(advice) }
        object["exchanges"] = .array(exchanges.map { .number(JSONNumber(Int(clamping: $0))) })
        if let place { object["place"] = .string(place.description) }
        return .object(object)
    }
}

extension RuleResult {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["number"] = .string(profile.number)
        object["name"] = .string(profile.name)
        object["status"] = .string(status.rawValue)
        object["severity"] = .string(profile.severity.rawValue)
        object["why"] = .string(profile.reason)
        object["advice"] = .string(profile.advice)
        object["source"] = .string(profile.source)
        if let reason { object["reason"] = .string(reason) }
        if !violations.isEmpty { object["violations"] = .array(violations.map(\.json)) }
        return .object(object)
    }
}

extension RuleViolation {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["message"] = .string(sentence)
        object["exchanges"] = .array(exchanges.map { .number(JSONNumber(Int(clamping: $0))) })
        if let device { object["device"] = .string(device) }
        return .object(object)
    }
}

extension Finding {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["severity"] = .string(severity.rawValue)
        object["id"] = .string(id)
        object["message"] = .string(message)
        if let advice { object["advice"] = .string(advice) }
        if let file = place?.file { object["file"] = .string(file) }
        if let position = place?.position {
            object["line"] = .number(JSONNumber(position.line))
            object["column"] = .number(JSONNumber(position.column))
        }
        if let exchange = place?.exchange { object["exchange"] = .number(JSONNumber(exchange)) }
        return .object(object)
    }
}

extension Verdict {
    /// Checks a session against what its story expects and what every client has to do.
    package init(on scenario: Scenario, by evidence: Evidence, in sources: SourceMap) {
        let isMeantSilent = scenario.story?.isSilent ?? false
        var expectations = scenario.expectations.map { expectation in
            var judged = evidence.judge(expectation.content).lacking(evidence.lost)
            judged.place = sources.place(of: expectation.position)
            return judged
        }
        if isMeantSilent { expectations.append(evidence.judgeSilence()) }
        let isHeard =
            !isMeantSilent && evidence.tellsWhatIsExpected(by: scenario)
            && !expectations.contains { $0.status == .failed }
        let obstacle: Obstacle? =
            expectations.isEmpty
            ? .nothingExpected : evidence.isSilent && !isMeantSilent && !isHeard ? .noRequest : nil
        if !evidence.isSilent || isHeard {
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
    /// That rules could not be evaluated, where nothing else says that exchanges are lost.
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
        do throws(TextPattern.Undecided) {
            return switch content {
            case .exchanges(let pattern, let count, let relations, let limit, let gap):
                try judge(pattern, count, relations, within: limit, gap)
            case .items(let pattern, let count): try judge(items: pattern, count)
            case .order(let patterns): try judge(order: patterns)
            case .exit(let code): judge(exit: code)
            case .token(let kind, let device, let standings): judge(token: kind, of: device, standings)
            case .states(let states): judge(states: states)
            case .client(let facts, let orUnknown): judge(client: facts, orUnknown: orUnknown)
            }
        } catch {
            return .undecided(error.pattern)
        }
    }
}
