package import Basics

extension PassedJudgement {
    /// One finding for each thing that the client did wrong, or one that says why it cannot be told.
    package var findings: [Finding] {
        if status == .inconclusive {
            let exchange = offences.first?.exchanges.first.map { Int(clamping: $0) }
            return [Finding(.warning, id: profile.id, reason ?? profile.reason, at: Place(exchange: exchange))]
        }
        return offences.map { offence in
            Finding(
                profile.severity,
                id: profile.id,
                offence.sentence,
                at: Place(exchange: offence.exchanges.first.map { Int(clamping: $0) }),
                advice: profile.advice
            )
        }
    }
}
