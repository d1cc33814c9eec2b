package import Findings

extension PassedJudgement {
    /// One finding for each thing that the client did wrong.
    package var findings: [Finding] {
        offences.map { offence in
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
