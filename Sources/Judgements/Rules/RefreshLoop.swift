/// A request that is refused again and again, with refreshes in between or none.
package enum RefreshLoop: Judgement {
    package static let profile = JudgementProfile(
        "B3",
        "refresh-loop",
        reason: "the app freezes, the battery drains, and the server is called until somebody stops it",
        advice: "refresh once for a request; when the new token is refused too, show the error",
        source: "RFC 9110, section 15.5.2"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        []
    }
}
