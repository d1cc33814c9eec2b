/// The client signs out although a fresh token is stored.
package enum LogoutThoughFresh: Judgement {
    package static let profile = JudgementProfile(
        "B23",
        "logout-though-fresh",
        reason: "the loser of a race signs the user out although the winner has just refreshed",
        advice: "when a refresh fails, go on with the stored tokens if they are newer than those that were sent",
        source: "RFC 6749, section 5.2; RFC 9110, section 15.5.10"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
