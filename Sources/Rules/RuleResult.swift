package import Basics
import ScenarioFormat
import Simulation

/// The result of one rule for the client that was run with a story.
package struct RuleResult: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable {
        case held
        case failed
        /// The story switches it off.
        case excused
        /// Undecided, because there is nothing to look at.
        case notJudged
        /// Undecided, because the server was late by more than the exchanges in question are apart.
        case inconclusive
    }

    package var profile: RuleProfile
    package var status: Status
    /// What the client did wrong, or may have done where the status is ``Status/inconclusive``; empty otherwise.
    package var violations: [RuleViolation]
    /// Why it was not passed, where it was not.
    package var reason: String?

    package init(_ profile: RuleProfile, _ status: Status, violations: [RuleViolation] = [], reason: String? = nil) {
        self.profile = profile
        self.status = status
        self.violations = violations
        self.reason = reason
    }
}

extension RuleResult {
    /// Evaluates every rule for what happened in a scenario; none where it has no tokens.
    static func all(on scenario: Scenario, by evidence: Evidence) -> [RuleResult] {
        guard scenario.tokens.kinds.contains(where: { !$0.isForeign }) else { return [] }
        return all(by: evidence, except: scenario.exemptions)
    }

    /// Evaluates every rule for what happened, wherever that is known from.
    static func all(by evidence: Evidence, except exemptions: [Exemption] = []) -> [RuleResult] {
        let history = TokenHistory(evidence)
        let obstacle = evidence.obstacleToJudging
        return AllRules.list.map { rule in
            let profile = rule.profile
            if let exemption = exemptions.first(where: { $0.rule == profile.rule }) {
                return RuleResult(profile, .excused, reason: exemption.reason)
            }
            if let obstacle { return RuleResult(profile, .notJudged, reason: obstacle) }
            let violations = rule.violations(in: history)
            let certain = violations.filter { !$0.isUnclear }
            guard certain.isEmpty, let doubt = violations.first else {
                return RuleResult(profile, certain.isEmpty ? .held : .failed, violations: certain)
            }
            // Where none of these was late, another one was.
            let lags = doubt.exchanges.compactMap { history.steps.from($0).first?.lag }.filter { $0 > .zero }
            let lag = lags.max() ?? evidence.exchanges.map(\.lag).max() ?? .zero
            return RuleResult(
                profile,
                .inconclusive,
                violations: violations,
                reason: "the server was up to \(DurationText.text(lag.readable)) late, so this cannot be told: "
                    + doubt.sentence
            )
        }
    }
}

extension Evidence {
    /// Why no rule can be evaluated.
    ///
    /// What a client should have known follows from all responses that it got, so a part of them proves nothing.
    fileprivate var obstacleToJudging: String? {
        if isSilent { return "no request arrived" }
        guard lost > 0 else { return nil }
        return lost == 1 ? "1 exchange is no longer in the journal" : "\(lost) exchanges are no longer in the journal"
    }
}

extension Duration {
    /// Rounded up to a tenth of a millisecond.
    fileprivate var readable: Duration {
        .microseconds((components.attoseconds / 1_000_000_000_000 + 99) / 100 * 100) + .seconds(components.seconds)
    }
}

extension RuleResult {
    /// One finding for each thing that the client did wrong, or one that says why it cannot be decided.
    package var findings: [Finding] {
        if status == .inconclusive {
            let exchange = violations.first?.exchanges.first.map { Int(clamping: $0) }
            return [Finding(.warning, id: profile.id, reason ?? profile.reason, at: Place(exchange: exchange))]
        }
        return violations.map { violation in
            Finding(
                profile.severity,
                id: profile.id,
                violation.sentence,
                at: Place(exchange: violation.exchanges.first.map { Int(clamping: $0) }),
                advice: profile.advice
            )
        }
    }
}
