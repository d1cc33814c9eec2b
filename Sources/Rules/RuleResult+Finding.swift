package import Basics

extension RuleResult {
    /// One finding for each thing that the client did wrong, or one that says why it cannot be told.
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
