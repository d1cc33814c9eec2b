/// A token arrives at a server that it is not for.
package enum TokenSentElsewhere: Judgement {
    package static let profile = JudgementProfile(
        "B18",
        "token-sent-elsewhere",
        reason: "whoever runs the other server can act as the user",
        advice: "add the token only to requests for the backend's own origin, and drop it on redirects to others",
        source: "RFC 6750, section 5.3; RFC 9110, section 15.4"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
