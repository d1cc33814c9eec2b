/// A refresh that follows an error which has nothing to do with the token.
package enum RefreshOnOtherError: Judgement {
    package static let profile = JudgementProfile(
        "B8",
        "refresh-on-other-error",
        reason: "every error of the server becomes a refresh, so an outage hits the token endpoint too",
        advice: "refresh only when the answer says that the token is not accepted",
        source: "RFC 9110, sections 15.5.4 and 15.6; RFC 6750, section 3.1"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
