/// The client reckons a token's end with the device's clock, which is wrong.
package enum RefreshByDeviceClock: Judgement {
    package static let profile = JudgementProfile(
        "B11",
        "refresh-by-device-clock",
        reason: "on a phone whose clock is wrong, the app refreshes before every request or never in time",
        advice: "reckon with the time that has passed since the token was asked for, or with the server's Date",
        source: "RFC 6749, section 5.1; RFC 9110, section 6.6.1"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
