import Basics
import ScenarioFormat
import Simulation

/// A token of one kind is sent where another kind is required.
///
/// - Evidence: a token of one kind is in the place of another kind, whether or not the server accepted it.
/// - Excuses: the route did not look at the token, or it is a sign-out that succeeded, which may end either kind (RFC
///   7009, section 2.1).
/// - Undecided: nothing; a text that holds no known token is B29 or a token of another issuer.
package enum TokenOfWrongKind: Rule {
    package static let profile = RuleProfile(
        rule: .tokenOfWrongKind,
        reason: "the server refuses the request, or every request exposes the refresh token",
        advice: "use a separate type for each token kind in the code, not only a separate name",
        source: "RFC 6749, section 1.5"
    )

    package static func findings(in history: TokenHistory) -> [RuleViolation] {
        history.steps.filter { $0.origin == nil && !($0.purpose == .signOut && $0.exchange.hasSucceeded) }.flatMap {
            step in
            step.offered.compactMap { offered in
                guard offered.isAccepted != nil, let token = offered.id.flatMap(history.token(id:)),
                    token.kind.exact != offered.wanted.exact
                else { return nil }
                let article = "aeiouAEIOU".utf8.contains(offered.wanted.utf8.first ?? 0) ? "an" : "a"
                return RuleViolation(
                    "\(step.exchange.subject) sent \(token.id.printable), \(token.sourceWords), where "
                        + "\(article) \(offered.wanted.printable) token is required",
                    [step, token.source],
                    group: "\(token.kind) \(offered.wanted) \(step.device ?? "")"
                )
            }
        }
    }
}
