/// The client goes on with tokens after it was told that they are dead for good.
package enum CallsAfterInvalidRefresh: Judgement {
    package static let profile = JudgementProfile(
        "B10",
        "calls-after-invalid-refresh",
        reason: "the user sees errors for ever instead of the sign-in",
        advice: "when a refresh is refused for good, drop the tokens, stop what is waiting, and show the sign-in",
        source: "RFC 6749, section 5.2"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
