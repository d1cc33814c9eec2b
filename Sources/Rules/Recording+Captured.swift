import Basics
import JSON
package import ScenarioFormat
import Simulation

extension TokenRoles {
    package init(kinds: [Kind], purposes: [String: Purpose], carriers: [TokenCarrier]) {
        self.kinds = kinds
        self.purposes = purposes
        self.carriers = carriers
        interchangeable = false
    }
}

extension Recording {
    /// A recording of captured traffic, judged by the rules alone.
    ///
    /// - Parameters:
    ///   - title: what the report calls it.
    ///   - undecided: the rules that the capture does not acquit, each with what is missing.
    ///   - unseen: those of them that it does not decide at all, since what they judge by is not in it.
    package init(
        captured title: String,
        _ evidence: Evidence,
        undecided: [RuleName: String],
        unseen: Set<RuleName> = []
    ) {
        self.init()
        isCaptured = true
        (session, backend, self.evidence) = (title, title, evidence)
        let rules: [Judgement] = .rules(by: evidence).map { judgement in
            guard let rule = RuleName(judgement.id), let reason = undecided[rule],
                judgement.status != .failed || unseen.contains(rule)
            else { return judgement }
            return judgement.notJudged(reason)
        }
        verdict = Verdict([], rules, by: evidence)
    }
}
