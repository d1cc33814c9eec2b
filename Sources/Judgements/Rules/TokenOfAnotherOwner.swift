/// A token of one device or account travels with what another one does.
package enum TokenOfAnotherOwner: Judgement {
    package static let profile = JudgementProfile(
        "B14",
        "token-of-another-owner",
        reason: "one user sees or changes what belongs to another",
        advice: "keep tokens by account, and forget those of the last one before the next one signs in",
        source: "RFC 6749, section 1.4"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
