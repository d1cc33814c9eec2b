import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// The client computes a token's end with the device's clock, which is wrong.
package enum RefreshByDeviceClock: Rule {
    package static let profile = RuleProfile(
        .refreshByDeviceClock,
        reason: "on a phone whose clock is wrong, the app refreshes before every request or never in time",
        advice: "reckon with the time that has passed since the token was asked for, or with the server's Date",
        source: "RFC 6749, section 5.1; RFC 9110, section 6.6.1"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        let needless = episode.needless
        guard let first = needless.first else { return [] }
        let isOne = needless.count == 1
        return [
            RuleViolation(
                "\(Sentences.exchanges(needless.map(\.refresh.number))) refreshed with nothing refused"
                    + "\(isOne ? ", though" : "; at the first of them") \(first.token.id) was good for another "
                    + first.token.timeLeft(at: first.refresh),
                needless.map(\.refresh)
            )
        ]
    }
}

extension HeldToken {
    /// The time until its end, in whole seconds.
    func timeLeft(at step: Step) -> String {
        DurationText.text(.seconds((token.expires - step.time).components.seconds))
    }
}

extension Episode {
    /// The refreshes that replaced a young and working token for no reason, with that token.
    fileprivate var needless: [(refresh: Step, token: HeldToken)] {
        refreshes.compactMap { refresh in
            // A client that refreshes on purpose, for new claims, has no wrong clock.
            guard hasWrongClock(at: refresh), refresh.result != .passing,
                let held = access.newest(by: refresh.arrival), let source = held.source, source.launch == launch,
                held.token.isGood(before: refresh), held.isYoung(at: refresh.time),
                held.token.expires - refresh.time > TimeLimit.foresight.value,
                isContent(with: held.token, since: source, before: refresh)
            else { return nil }
            return (refresh, held.token)
        }
    }

    /// Whether nothing that the token was used for gave a reason to renew it.
    private func isContent(with token: HeldToken, since source: Step, before refresh: Step) -> Bool {
        let uses = uses(of: token).between(source, refresh)
        guard uses.allSatisfy({ $0.status < 400 }),
            !self.uses(of: token).before(refresh.number).contains(where: \.isComplaint)
        else { return false }
        let served = Set(uses.map(\.request))
        return complaints.between(source, refresh).allSatisfy { served.contains($0.request) }
    }
}
