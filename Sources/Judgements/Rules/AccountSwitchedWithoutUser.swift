/// The client goes on as another account without a sign-in by the user.
package enum AccountSwitchedWithoutUser: Judgement {
    package static let profile = JudgementProfile(
        "B21",
        "account-switched-without-user",
        reason: "the user's work ends up in somebody else's account",
        advice: "when a session ends, ask the user to sign in; never fall back on another account",
        source: "RFC 6749, section 1.3"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
