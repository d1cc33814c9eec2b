import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// The client gave the session up because of a temporary failure of a refresh.
package enum SignedOutByPassingFailure: Rule {
    package static let profile = RuleProfile(
        .signedOutByPassingFailure,
        reason: "a short outage of the server or the network signs users out",
        advice: "end the session only when the response says that the refresh token is bad; else keep it and try later",
        source: "RFC 6749, section 5.2; RFC 6585, section 4; RFC 9110, section 15.6"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.prematureEnds(after: .passing) { end, refresh, token in
            let failure = refresh.isReceived ? "failed with \(refresh.status)" : "got no response"
            return "exchange \(refresh.number) \(failure), which passes, and the client \(end.words), though "
                + "\(token.id) was still good"
        }
    }
}
