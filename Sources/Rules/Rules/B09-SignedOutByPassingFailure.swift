import ScenarioFormat

/// The client signs out because of a temporary failure of a refresh.
///
/// - Evidence: a refresh got no response or a status that is not terminal for the backend, its refresh token stayed
///   valid, and the client signed out or signed in again soon after it.
/// - Excuses: the user signed out, the backend's `terminal` list has the status, or the refresh token had ended.
/// - Undecided: nothing; a response that was lost after the server had renewed the tokens is B6.
package enum SignedOutByPassingFailure: Rule {
    package static let profile = RuleProfile(
        rule: .signedOutByPassingFailure,
        reason: "a short server or network outage signs users out",
        advice: "end the session only when the response refuses the refresh token as invalid; otherwise retry later",
        source: "RFC 6749, section 5.2; RFC 6585, section 4; RFC 9110, section 15.6"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        episode.prematureEnds(after: .passing) { end, refresh, token in
            let failure = refresh.isReceived ? "failed with status \(refresh.status)" : "received no response"
            return "exchange \(refresh.number) \(failure), which is temporary, and the client \(end.words), although "
                + "\(token.id) was still valid"
        }
    }
}
