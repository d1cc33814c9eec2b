/// The client comes back before the time that Retry-After names.
package enum RetryAfterIgnored: Judgement {
    package static let profile = JudgementProfile(
        "B17",
        "retry-after-ignored",
        reason: "clients that come back too soon keep a server down",
        advice: "wait as long as Retry-After says before the request is sent again",
        source: "RFC 9110, section 10.2.3; RFC 6585, section 4"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
