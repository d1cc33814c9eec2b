/// A request that has waited in the client goes out with a token that was replaced meanwhile.
package enum StaleTokenFromQueue: Judgement {
    package static let profile = JudgementProfile(
        "B15",
        "stale-token-from-queue",
        reason: "requests from a queue fail or refresh again although a good token is there",
        advice: "read the token when a request is sent, not when it is made",
        source: "RFC 6750, section 3.1"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
