/// A later launch comes with an older token than an earlier one had received.
package enum NewTokenNotStored: Judgement {
    package static let profile = JudgementProfile(
        "B5",
        "new-token-not-stored",
        reason: "after the next start the app has only a used token, and the user has to sign in again",
        advice: "write new tokens to the store at once, before the request that waited for them is sent again",
        source: "RFC 6749, section 6"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
