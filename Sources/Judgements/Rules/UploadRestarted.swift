/// An upload begins again from zero, or a stream is never taken up again.
package enum UploadRestarted: Judgement {
    package static let profile = JudgementProfile(
        "B19",
        "upload-restarted",
        reason: "large uploads never end on a slow network, and live views stay silent",
        advice: "take an upload or a stream up where it stopped, with a new token",
        source: "RFC 9110, section 14"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
