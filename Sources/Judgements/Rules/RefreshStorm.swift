/// Two refreshes of one device where one would have served both.
package enum RefreshStorm: Judgement {
    package static let profile = JudgementProfile(
        "B2",
        "refresh-storm",
        reason: "where refresh tokens rotate, the second refresh offers a used one and the server signs the user out",
        advice: "share one refresh among all requests that wait for it, and let those that come later use its result",
        source: "RFC 6749, section 6; RFC 9700, section 4.14.2"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
