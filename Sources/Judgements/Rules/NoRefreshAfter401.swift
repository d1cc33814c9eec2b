/// A resource refused a dead access token, and the client went on without refreshing although it could have.
package enum NoRefreshAfter401: Judgement {
    package static let profile = JudgementProfile(
        "B1",
        "no-refresh-after-401",
        reason: "the user is stuck or signed out although a good refresh token lies in the store",
        advice: "when a resource refuses the access token, refresh once and send the request again",
        source: "RFC 6749, section 1.5; RFC 6750, section 3.1"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
