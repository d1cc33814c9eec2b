/// The refresh itself carries the expired access token, or waits for a refresh.
package enum RefreshWithExpiredBearer: Judgement {
    package static let profile = JudgementProfile(
        "B16",
        "refresh-with-expired-bearer",
        reason: "the refresh is refused for its own dead token, and the app waits for itself",
        advice: "send the refresh past whatever adds and renews access tokens",
        source: "RFC 6749, section 6"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
