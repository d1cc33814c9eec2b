import HTTPCodec
import ScenarioFormat
import Simulation

/// The client computes a token's expiry with the device's clock, and that clock is wrong.
///
/// - Evidence: the device's clock is known to be wrong, and a refresh replaces an access token that is not about to
///   expire, has most of its lifetime left, and was accepted in this launch.
/// - Excuses: the token was refused, a request with it failed, or a refused request has not been sent again yet; the
///   refresh itself failed temporarily.
/// - Undecided: nothing; a clock of which nothing is known counts as right.
package enum RefreshByDeviceClock: Rule {
    package static let profile = RuleProfile(
        rule: .refreshByDeviceClock,
        reason: "on a phone with a wrong clock, the app refreshes either before every request or too late",
        advice: "measure the time since the token was requested, or use the server's Date",
        source: "RFC 6749, section 5.1; RFC 9110, section 6.6.1"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        let needless = episode.needless
        return needless.isEmpty ? [] : [RuleViolation(Sentences.needless(needless), needless.map(\.refresh))]
    }
}

extension Sentences {
    /// Refreshes that nothing required, of which there is at least one, with the tokens that they replaced.
    static func needless(_ refreshes: [(refresh: Step, token: HeldToken)], _ moment: String = "") -> String {
        let (refresh, token) = refreshes[0]
        let left = DurationText.text(.seconds((token.expires - refresh.time).components.seconds))
        return "\(exchanges(refreshes.map(\.refresh.number))) refreshed\(moment) although nothing had been refused"
            + "\(refreshes.count == 1 ? " and" : "; at the first refresh,") \(token.id) was still valid for another \(left)"
    }
}

extension Episode {
    /// The refreshes that replaced a young and working token for no reason, with that token.
    fileprivate var needless: [(refresh: Step, token: HeldToken)] {
        refreshes.compactMap { refresh in
            // A client that refreshes on purpose, for new claims, has no wrong clock.
            guard hasWrongClock(at: refresh), refresh.result != .passing, requestedRefreshes[refresh.number] == nil,
                let held = access.newest(by: refresh.arrival), let source = held.source, source.launch == launch,
                held.token.audience == refresh.audience, held.token.isGood(before: refresh),
                held.isYoung(at: refresh.time),
                held.token.expires - refresh.time > TimeLimit.foresight.value,
                isContent(with: held.token, since: source, before: refresh)
            else { return nil }
            return (refresh, held.token)
        }
    }

    /// Returns whether nothing that the token was used for gave a reason to renew it.
    private func isContent(with token: HeldToken, since source: Step, before refresh: Step) -> Bool {
        let uses = uses(of: token).between(source, refresh)
        guard uses.allSatisfy({ $0.status < 400 }),
            !self.uses(of: token).before(refresh.number).contains(where: \.isComplaint)
        else { return false }
        let served = Set(uses.map(\.request))
        return complaints.between(source, refresh).allSatisfy { served.contains($0.request) }
    }
}
