import ScenarioFormat
import Simulation

/// The client counts a token's lifetime from the moment at which the response arrived.
///
/// - Evidence: a client that renews tokens before they expire sends one after its end, by no more than the time that
///   the response with the token took.
/// - Excuses: the client has never renewed a working token before it was refused, so it does not count lifetimes; the
///   delay is no longer than a request's way.
/// - Undecided: nothing; a use that is late by more than that has another cause.
package enum LifetimeCountedFromResponse: Rule {
    package static let profile = RuleProfile(
        rule: .lifetimeCountedFromResponse,
        reason: "on a slow network, the app uses a token that has already expired",
        advice: "count the lifetime from the moment at which the token was requested",
        source: "RFC 6749, section 5.1"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        var reported: Set<String> = []
        let violations = episode.complaints.compactMap { use -> RuleViolation? in
            guard use.isRefused, let offer = use.access, offer.standing == .expired, let left = offer.timeLeft,
                let held = episode.access.newest(by: use.arrival), held.token.id == offer.id, let source = held.source
            else { return nil }
            let overdue = Duration.zero - left
            guard overdue > TimeLimit.way.value, overdue <= source.wait, reported.insert(held.token.id).inserted else {
                return nil
            }
            return RuleViolation(
                "exchange \(use.number) sent \(held.token.id) \(DurationText.text(overdue)) after it had expired, as if its "
                    + "lifetime had begun with the response in exchange \(source.number), which took "
                    + DurationText.text(source.wait),
                [use, source]
            )
        }
        let isAhead = !violations.isEmpty && episode.history.episodes(of: episode.device).contains(where: \.isProactive)
        return isAhead ? violations : []
    }
}

extension Episode {
    /// A Boolean value that indicates whether the client has renewed a token that had worked in this launch before it
    /// was refused.
    fileprivate var isProactive: Bool {
        refreshes.contains { refresh in
            guard let held = access.newest(by: refresh.arrival), !held.isYoung(at: refresh.time),
                held.token.audience == refresh.audience
            else { return false }
            let uses = uses(of: held.token).before(refresh.number)
            return !uses.isEmpty && !uses.contains(where: \.isComplaint)
        }
    }
}
