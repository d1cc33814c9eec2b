import HTTPCodec
import Simulation

/// The refresh itself carries the expired access token, or waits for a refresh.
///
/// Routes that require an access token beside the refresh token judge it themselves: what they require is never wrong
/// here.
package enum RefreshWithExpiredBearer: Rule {
    package static let profile = RuleProfile(
        "B16",
        "refresh-with-expired-bearer",
        reason: "the refresh is refused for its own dead token, and the app waits for itself",
        advice: "send the refresh past whatever adds and renews access tokens",
        source: "RFC 6749, section 6; RFC 6750, section 3.1"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var violations = RepeatedViolations()
        for device in history.devices {
            for index in device.exchanges.indices where history.isRefresh(device.exchanges[index]) {
                let exchange = device.exchanges[index]
                guard let bearer = exchange.offered.first(where: { history.isNeedless($0, in: exchange) }),
                    let id = bearer.id
                else {
                    continue
                }
                let refresh = history.offered(.refresh, in: exchange)
                let company = refresh?.id.map { " beside \($0)" } ?? ""
                let end = exchange.hasSucceeded ? "" : " and was answered \(exchange.response.status.code)"
                violations.add(
                    device.name,
                    by: exchange.number,
                    RuleViolation(
                        "\(exchange.subject) carried \(id), which \(bearer.standing.pastWords),\(company)\(end)",
                        exchanges: [exchange.number],
                        device: device.name
                    )
                )
            }
        }
        return violations.list
    }
}

extension TokenHistory {
    /// Whether it is an invalid access token that the route has not asked for.
    ///
    /// One that it has asked for may not have been looked at, because another token was refused before.
    fileprivate func isNeedless(_ token: OfferedToken, in exchange: Exchange) -> Bool {
        guard token.isAccepted == nil, token.standing.isDead, let kind = token.kind else { return false }
        let wanted = exchange.route.flatMap { roles.wantedByRefreshes[$0] } ?? []
        return roles.role(of: kind) == .access && !wanted.contains(kind)
    }
}
