/// A refresh token is offered again although its successor had arrived.
package enum RotatedTokenReused: Judgement {
    package static let profile = JudgementProfile(
        "B4",
        "rotated-token-reused",
        reason: "a server takes a used refresh token for a stolen one and ends every session of the device",
        advice: "replace the stored refresh token by the new one before anything else can read it",
        source: "RFC 6749, section 6; RFC 9700, section 4.14.2"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
