/// A token of one kind is offered where another is wanted.
package enum TokenOfWrongKind: Judgement {
    package static let profile = JudgementProfile(
        "B20",
        "token-of-wrong-kind",
        reason: "the server refuses the request, or the refresh token travels with every request",
        advice: "keep the kinds of token apart by type, not by name",
        source: "RFC 6749, section 1.5"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
