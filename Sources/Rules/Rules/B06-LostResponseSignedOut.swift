import Basics
import ScenarioFormat
import Simulation

/// A refresh took place, its response was lost, and the client took that for the end of the session.
package enum LostResponseSignedOut: Rule {
    package static let profile = RuleProfile(
        .lostResponseSignedOut,
        reason: "a tunnel or a lift at the wrong moment signs the user out",
        advice: "when the response to a refresh is lost, try the refresh again with the token that is stored",
        source: "RFC 6749, section 5.2; RFC 9110, section 9.2.2"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.prematureEnds(after: .lost) { end, refresh, token in
            "exchange \(refresh.number) renewed the tokens and its response was lost, and the client \(end.words), "
                + "though \(token.id) was still good for another try"
        }
    }
}
