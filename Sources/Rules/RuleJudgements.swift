import Basics
import ScenarioFormat
import Simulation

extension [Judgement] {
    /// Evaluates every rule for what happened in a scenario; none where it has no tokens.
    static func rules(on scenario: Scenario, by evidence: Evidence) -> [Judgement] {
        guard scenario.tokens.kinds.contains(where: { !$0.isForeign }) else { return [] }
        return rules(by: evidence, except: scenario.exemptions)
    }

    /// Evaluates every rule for what happened, wherever that is known from.
    static func rules(by evidence: Evidence, except exemptions: [Exemption] = []) -> [Judgement] {
        let history = TokenHistory(evidence)
        let obstacle = evidence.obstacleToJudging
        return AllRules.list.flatMap { rule -> [Judgement] in
            var profile = rule.profile
            profile.reason = rule.reason(in: history.roles)
            if let exemption = exemptions.first(where: { $0.rule == profile.rule }) {
                return [Judgement(.excused, of: profile, exemption.reason)]
            }
            if let obstacle { return [Judgement(.notJudged, of: profile, obstacle)] }
            let violations = rule.violations(in: history)
            let certain = violations.filter { !$0.isUnclear && !evidence.isExplainedByHandshake($0, of: profile.rule) }
            guard certain.isEmpty else { return certain.map { Judgement(.failed, of: profile, $0.sentence, $0) } }
            guard let doubt = violations.first else { return [Judgement(.held, of: profile)] }
            if evidence.isExplainedByHandshake(doubt, of: profile.rule) {
                let sentence = "a TLS handshake failed in the meantime, so this rule could not be decided: "
                return [Judgement(.inconclusive, of: profile, sentence + doubt.sentence, doubt)]
            }
            // Where none of these was late, another one was.
            let lags = doubt.exchanges.compactMap { history.steps.from($0).first?.lag }.filter { $0 > .zero }
            let lag = lags.max() ?? evidence.exchanges.map(\.lag).max() ?? .zero
            let sentence =
                "the server was up to \(DurationText.text(lag.readable)) late, so this rule could not be decided: "
            return [Judgement(.inconclusive, of: profile, sentence + doubt.sentence, doubt)]
        }
    }
}

extension Judgement {
    fileprivate init(
        _ status: Status,
        of profile: RuleProfile,
        _ sentence: String = "",
        _ violation: RuleViolation? = nil
    ) {
        self.init(status, id: profile.id, sentence, subject: profile.name)
        exchanges = violation?.exchanges.map { Int(clamping: $0) } ?? []
        device = violation?.device
        (why, advice, source) = (profile.reason, profile.advice, profile.source)
    }

    /// The judgement of a rule for which something is missing.
    func notJudged(_ reason: String) -> Judgement {
        var judgement = Judgement(.notJudged, id: id, reason, subject: subject)
        (judgement.why, judgement.advice, judgement.source) = (why, advice, source)
        return judgement
    }
}

extension Evidence {
    /// The rules about a request that did not come, or about a client that gave up.
    private static let omissions: Set<RuleName> = [
        .noRefreshAfter401, .lostResponseSignedOut, .requestNotReplayed, .signedOutByPassingFailure, .uploadRestarted,
        .differentRequestReplayed, .logoutThoughFresh, .winnerErased, .refreshGivenUp,
    ]

    /// Returns whether the client may have tried to send the missing request: a handshake failed after the first
    /// exchange of the violation.
    fileprivate func isExplainedByHandshake(_ violation: RuleViolation, of rule: RuleName) -> Bool {
        guard !failedHandshakes.isEmpty, Self.omissions.contains(rule) else { return false }
        let first = violation.exchanges.min() ?? 0
        return failedHandshakes.contains { $0.afterExchange >= first && !$0.isUnused }
    }

    /// The reason that no rule can be evaluated.
    ///
    /// What a client should have known follows from all responses that it got, so a part of them proves nothing.
    fileprivate var obstacleToJudging: String? {
        if isSilent { return "no request arrived" }
        return lost > 0 ? "\(Sentences.are(lost, "exchange")) no longer in the journal" : nil
    }
}

extension Duration {
    /// Rounded up to a tenth of a millisecond.
    fileprivate var readable: Duration {
        .microseconds((components.attoseconds / 1_000_000_000_000 + 99) / 100 * 100) + .seconds(components.seconds)
    }
}
