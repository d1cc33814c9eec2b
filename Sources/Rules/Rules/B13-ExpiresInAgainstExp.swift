import ScenarioFormat
import Simulation

/// The client uses the later expiry if `expires_in` and `exp` differ.
///
/// Only a client that renews tokens before they expire goes by either; what it does otherwise in the same run shows
/// whether it does. Tokens without a lifetime of their own leave it nothing but expires_in.
///
/// - Evidence: a client that renews tokens before they expire sends one after the earlier of the two ends, and more
///   than a second before the later one; the server refuses it as expired.
/// - Excuses: the two ends differ by a second or less, the token contains no end, or the request was held in
///   a race.
/// - Undecided: nothing; a client that has never renewed a token ahead uses neither value.
package enum ExpiresInAgainstExp: Rule {
    package static let profile = RuleProfile(
        rule: .expiresInAgainstExp,
        reason: "the app keeps using a token that the server refuses",
        advice: "when expires_in and exp differ, use the earlier expiry",
        source: "RFC 6749, section 5.1; RFC 7519, section 4.1.4"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        let violations = episode.steps.compactMap { step -> RuleViolation? in
            guard
                step.purpose == .resource, step.hold == nil, let offer = step.access, offer.isAccepted == false,
                offer.standing == .expired, let token = offer.token,
                let grant = token.source, grant.episode === episode, grant.isReceived,
                grant.granted(.access).last === token,
                let promise = LifetimePromise(in: grant.exchange, of: token.token), let claimed = promise.claimed
            else { return nil }
            let (earlier, later) = (min(claimed, promise.announced), max(claimed, promise.announced))
            let age = step.time - promise.start
            guard later - earlier > TimeLimit.wholeSecond.value, age > earlier + TimeLimit.wholeSecond.value,
                age < later
            else { return nil }
            return RuleViolation(
                "\(step.exchange.subject) sent \(token.id) \(DurationText.text(age)) after it was issued: exchange "
                    + "\(grant.number) had announced \(DurationText.text(promise.announced)) in \(promise.name) and "
                    + "\(DurationText.text(claimed)) in exp, and the client used the later expiry",
                [step, grant],
                group: episode.device
            )
        }
        let isAhead = !violations.isEmpty && episode.history.episodes(of: episode.device).contains(where: \.renewsAhead)
        return isAhead ? violations : []
    }
}

extension Episode {
    /// A Boolean value that indicates whether the client renews a token that was not refused, because it is about to
    /// expire.
    fileprivate var renewsAhead: Bool {
        refreshes.contains { refresh in
            let grant = steps.before(refresh.number).last { $0.isRenewal && !$0.granted(.access).isEmpty }
            guard let grant, let token = grant.granted(.access).last,
                !steps.between(grant, refresh).contains(where: \.isRefused)
            else { return false }
            let margin = max((token.expires - token.issued) / 10, TimeLimit.renewalMargin.value)
            return refresh.time + margin >= token.expires
        }
    }
}
