/// The client goes by the later one where expires_in and exp do not agree.
package enum ExpiresInAgainstExp: Judgement {
    package static let profile = JudgementProfile(
        "B13",
        "expires-in-against-exp",
        reason: "the app uses a token that the server refuses, or throws a good one away",
        advice: "when expires_in and exp differ, go by the earlier one",
        source: "RFC 6749, section 5.1; RFC 7519, section 4.1.4"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
