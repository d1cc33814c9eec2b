/// The client gave the session up because a refresh failed in a way that passes.
package enum SignedOutByPassingFailure: Judgement {
    package static let profile = JudgementProfile(
        "B9",
        "signed-out-by-passing-failure",
        reason: "a short outage of the server or the network signs users out",
        advice: "end the session only when the answer says that the refresh token is bad; else keep it and try later",
        source: "RFC 6749, section 5.2; RFC 6585, section 4; RFC 9110, section 15.6"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
