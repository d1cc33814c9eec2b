package import Basics

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
    /// In the order of the file; what the story demands beside its list, and races that were not reached, and
    /// what the story adds and was not played, come last.
    package let expectations: [ExpectationResult]
    /// By their numbers; empty where the backend has no tokens.
    package let rules: [RuleResult]
    /// What was wrong or unknown.
    package let findings: [Finding]

    /// Puts together what is known.
    package init(
        outcome: Outcome,
        obstacle: Obstacle? = nil,
        expectations: [ExpectationResult],
        rules: [RuleResult],
        findings: [Finding]
    ) {
        self.outcome = outcome
        self.obstacle = obstacle
        self.expectations = expectations
        self.rules = rules
        self.findings = findings
    }
}
