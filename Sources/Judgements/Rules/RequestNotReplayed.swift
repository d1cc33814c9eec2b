/// The request that caused a refresh is not sent again, or not as it was, or once too often.
package enum RequestNotReplayed: Judgement {
    package static let profile = JudgementProfile(
        "B7",
        "request-not-replayed",
        reason: "what the user did is lost, or it is done twice",
        advice: "after a refresh send the refused request again exactly once, with its body",
        source: "RFC 6750, section 3.1; RFC 9110, section 9.2.2"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
