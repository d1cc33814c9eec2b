import HTTPCodec
import Simulation

/// The client gave the session up because of a temporary failure of a refresh.
package enum SignedOutByPassingFailure: Rule {
    package static let profile = RuleProfile(
        "B9",
        "signed-out-by-passing-failure",
        reason: "a short outage of the server or the network signs users out",
        advice: "end the session only when the response says that the refresh token is bad; else keep it and try later",
        source: "RFC 6749, section 5.2; RFC 6585, section 4; RFC 9110, section 15.6"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.prematureEnds(after: .passing) { signOut, refresh, token in
            "exchange \(refresh.number) \(refresh.failure), which passes, and the client \(signOut.words), though "
                + "\(token.id) was still good"
        }
    }
}

extension Exchange {
    /// How it failed, as the end of a sentence.
    fileprivate var failure: String {
        outcome == .sent && fault == nil ? "failed with \(response.status.code)" : "got no response"
    }
}
