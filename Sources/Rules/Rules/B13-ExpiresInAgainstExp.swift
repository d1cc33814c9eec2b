import Basics
import ScenarioFormat
import Simulation

/// The client uses the later end where expires_in and exp do not agree.
///
/// Only a client that renews tokens before they expire goes by either; what it does otherwise in the same run shows
/// whether it does. Tokens without a lifetime of their own leave it nothing but expires_in.
///
/// - Evidence: a client that renews tokens before they expire sends one after the earlier of the two ends, and more
///   than a second before the later one; the server refuses it as expired.
/// - Excuses: the two ends differ by a second or less, the token says nothing about its end, or the request was held in
///   a race.
/// - Undecided: nothing; a client that has never renewed a token ahead uses neither value.
package enum ExpiresInAgainstExp: Rule {
    package static let profile = RuleProfile(
        .expiresInAgainstExp,
        reason: "the app keeps using a token that the server refuses",
        advice: "when expires_in and exp differ, use the earlier end",
        source: "RFC 6749, section 5.1; RFC 7519, section 4.1.4"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var violations = RepeatedViolations()
        let episodes = history.episodes
        for own in episodes.chunked({ $0.device.hasSameUTF8(as: $1.device) }) where own.contains(where: \.renewsAhead) {
            for episode in own { find(in: episode, &violations) }
        }
        return violations.list
    }

    private static func find(in episode: Episode, _ violations: inout RepeatedViolations) {
        var promises: [String: (promise: LifetimePromise, step: Step)] = [:]
        for step in episode.steps {
            if step.isReceived, let token = step.granted(.access).last,
                let promise = LifetimePromise(in: step.exchange, of: token.token)
            {
                promises[token.id] = (promise, step)
            }
            guard
                step.purpose == .resource, step.hold == nil, let offer = step.access, let id = offer.id,
                offer.isAccepted == false, offer.standing == .expired,
                let (promise, grant) = promises[id], let claimed = promise.claimed
            else { continue }
            let (earlier, later) = (min(claimed, promise.announced), max(claimed, promise.announced))
            let age = step.time - promise.start
            guard later - earlier > TimeLimit.wholeSecond.value, age > earlier + TimeLimit.wholeSecond.value,
                age < later
            else { continue }
            violations.add(
                episode.device,
                by: step,
                RuleViolation(
                    "\(step.exchange.subject) sent \(id) \(DurationText.text(age)) after it was "
                        + "issued: exchange \(grant.number) had announced \(DurationText.text(promise.announced)) in "
                        + "\(promise.name) and \(DurationText.text(claimed)) in exp, and the client used the later one",
                    [step, grant],
                    in: episode
                )
            )
        }
    }
}

extension Episode {
    /// A Boolean value that indicates whether the client renews a token that was not refused, because it is about to
    /// expire.
    fileprivate var renewsAhead: Bool {
        var current: HeldToken?
        var isRefused = false
        for step in steps {
            if step.isRefused { isRefused = true }
            if step.isRefresh, step !== steps[0], !isRefused, let current {
                let lifetime = current.expires - current.issued
                let margin = max(lifetime / 10, TimeLimit.renewalMargin.value)
                if step.time + margin >= current.expires { return true }
            }
            if step.isRenewal, let token = step.granted(.access).last {
                current = token
                isRefused = false
            }
        }
        return false
    }
}
