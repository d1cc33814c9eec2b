/// The client counts a token's lifetime from the moment at which the reply arrived.
package enum LifetimeCountedFromAnswer: Judgement {
    package static let profile = JudgementProfile(
        "B12",
        "lifetime-counted-from-answer",
        reason: "on a slow network the app takes a token for good that has already expired",
        advice: "count the lifetime from the moment at which the token was asked for",
        source: "RFC 6749, section 5.1"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
