import ScenarioFormat

/// The response to a refresh is lost, and the client treats that as the end of the session.
///
/// - Evidence: the response to a refresh did not reach the client, the server would have accepted the refresh token
///   again, and the client signed out or signed in again soon after it.
/// - Excuses: the user signed out, or the client left the session only after the refresh token had ended.
/// - Undecided: nothing; a refresh token that was no longer valid excuses the client.
package enum LostResponseSignedOut: Rule {
    package static let profile = RuleProfile(
        rule: .lostResponseSignedOut,
        reason: "a lost connection at the wrong moment signs the user out",
        advice: "when the response to a refresh is lost, repeat the refresh with the stored token",
        source: "RFC 6749, section 5.2; RFC 9110, section 9.2.2"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        episode.prematureEnds(after: .lost) { end, refresh, token in
            "exchange \(refresh.number) renewed the tokens, its response was lost, and the client \(end.words), "
                + "although \(token.id) was still valid"
        }
    }
}
