import HTTPCodec
import ScenarioFormat
import Simulation

/// The refresh itself sends the expired access token.
///
/// Routes that require an access token next to the refresh token judge it themselves: what they require is never wrong
/// here.
///
/// - Evidence: a refresh sends an invalid access token that its route does not require.
/// - Excuses: the route requires an access token, its requirements are unknown, the token is still valid, or it is in a
///   cookie, which the platform sends with every request.
/// - Undecided: nothing; each device is reported once.
package enum RefreshWithExpiredBearer: Rule {
    package static let profile = RuleProfile(
        rule: .refreshWithExpiredBearer,
        reason: "the refresh is refused because of the invalid access token, or the app deadlocks",
        advice: "send the refresh without the code that adds and renews access tokens",
        source: "RFC 6749, section 6; RFC 6750, section 3.1"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        let roles = episode.history.roles
        return episode.refreshes.compactMap { step in
            // One that the route has asked for may not have been looked at, because another token was refused before.
            guard let route = step.route else { return nil }
            let wanted = roles.wantedByRefreshes[route] ?? []
            let needless = step.offered.first { token in
                guard token.isAccepted == nil, token.standing.isDead, let kind = token.kind else { return false }
                return roles.role(of: kind) == .access && !wanted.contains(kind)
                    && !step.sendsInCookie(token.id.flatMap(episode.history.token(id:)))
            }
            guard let bearer = needless, let id = bearer.id else { return nil }
            let company = step.refresh?.id.map { " together with \($0)" } ?? ""
            let end = step.exchange.hasSucceeded ? "" : " and received status \(step.status)"
            return RuleViolation(
                "\(step.exchange.subject) sent \(id), which \(bearer.standing.pastWords),\(company)\(end)",
                [step],
                group: episode.device
            )
        }
    }
}

extension Step {
    /// Returns whether a token is in the request's cookies, and not in its other fields.
    fileprivate func sendsInCookie(_ token: HeldToken?) -> Bool {
        guard let text = token?.text else { return false }
        let names = exchange.request.fields.filter { $0.value.contains(text) }.map { $0.name.lowercased() }
        return !names.isEmpty && names.allSatisfy { $0 == "cookie" }
    }
}
