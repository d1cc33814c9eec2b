import ScenarioFormat
import Simulation

/// The client uses the later one where expires_in and exp do not agree.
///
/// Only a client that renews tokens before they expire goes by either; what it does otherwise in the same run shows
/// whether it does. Tokens without a lifetime of their own leave it nothing but expires_in.
package enum ExpiresInAgainstExp: Rule {
    package static let profile = RuleProfile(
        "B13",
        "expires-in-against-exp",
        reason: "the app goes on with a token that the server refuses",
        advice: "when expires_in and exp differ, go by the earlier one",
        source: "RFC 6749, section 5.1; RFC 7519, section 4.1.4"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var violations = RepeatedViolations()
        for device in history.devices {
            let launches = device.launches
            guard launches.contains(where: { history.renewsAhead(in: $0) }) else { continue }
            for launch in launches { find(in: launch, of: device, history, &violations) }
        }
        return violations.list
    }

    private static func find(
        in launch: [Exchange],
        of device: DeviceHistory,
        _ history: TokenHistory,
        _ violations: inout RepeatedViolations
    ) {
        var promises: [String: (promise: LifetimePromise, exchange: Exchange)] = [:]
        for exchange in launch {
            if history.wasReceived(exchange), let token = history.granted(.access, by: exchange).last,
                let promise = LifetimePromise(in: exchange, of: token)
            {
                promises[token.id] = (promise, exchange)
            }
            guard
                history.purpose(of: exchange) == .resource, exchange.hold == nil,
                let offered = history.offered(.access, in: exchange), let id = offered.id,
                offered.isAccepted == false, offered.standing == .expired,
                let (promise, grant) = promises[id], let claimed = promise.claimed,
                abs(claimed, promise.announced) > TimeLimit.wholeSecond.value,
                exchange.time - promise.start > min(claimed, promise.announced) + TimeLimit.wholeSecond.value,
                exchange.time - promise.start < max(claimed, promise.announced)
            else { continue }
            violations.add(
                device.name,
                by: exchange.number,
                RuleViolation(
                    "\(exchange.subject) brought \(id) \(DurationText.text(exchange.time - promise.start)) after it was "
                        + "issued: exchange \(grant.number) said \(DurationText.text(promise.announced)) in "
                        + "\(promise.name) and \(DurationText.text(claimed)) in exp, and the client went by the later one",
                    exchanges: [exchange.number, grant.number],
                    device: device.name
                )
            )
        }
    }

    private static func abs(_ one: Duration, _ other: Duration) -> Duration {
        max(one, other) - min(one, other)
    }
}

extension TokenHistory {
    /// Whether the client renews a token that was not refused, because it is about to expire.
    fileprivate func renewsAhead(in launch: [Exchange]) -> Bool {
        var current: Token?
        var isRefused = false
        for (index, exchange) in launch.enumerated() {
            if self.isRefused(exchange) { isRefused = true }
            if isRefresh(exchange), index > 0, !isRefused, let current {
                let lifetime = current.expires - current.issued
                let margin = max(lifetime / 10, TimeLimit.renewalMargin.value)
                if exchange.time + margin >= current.expires { return true }
            }
            if renews(exchange), let token = granted(.access, by: exchange).last {
                current = token
                isRefused = false
            }
        }
        return false
    }
}
