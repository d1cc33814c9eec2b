/// What is sent after a refresh is not the request that was refused.
package enum DifferentRequestReplayed: Judgement {
    package static let profile = JudgementProfile(
        "B22",
        "different-request-replayed",
        reason: "what the user did is lost, and something else is done in its place",
        advice: "keep the refused request as it is and send that one again",
        source: "RFC 6750, section 3.1"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
