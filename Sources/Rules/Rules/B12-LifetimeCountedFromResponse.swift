import Basics
import JSON
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
        .lifetimeCountedFromResponse,
        reason: "on a slow network the app uses a token that has already expired",
        advice: "count the lifetime from the moment at which the token was requested",
        source: "RFC 6749, section 5.1"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var habits: [ExactText: Bool] = [:]
        return history.episodes.flatMap { episode -> [RuleViolation] in
            let uses = episode.lateUses
            guard !uses.isEmpty else { return [] }
            let device = ExactText(episode.device)
            let isProactive =
                habits[device]
                ?? history.episodes.contains { $0.device.hasSameUTF8(as: episode.device) && $0.isProactive }
            habits[device] = isProactive
            guard isProactive else { return [] }
            return uses.map { use, source, token, overdue in
                RuleViolation(
                    "exchange \(use.number) sent \(token.id) \(DurationText.text(overdue)) after it had expired, as if its "
                        + "lifetime began with the response of exchange \(source.number), which took "
                        + DurationText.text(source.wait),
                    [use, source],
                    in: episode
                )
            }
        }
    }
}

extension Episode {
    /// Whether the client has renewed a token that had worked in this launch before it was refused.
    fileprivate var isProactive: Bool {
        refreshes.contains { refresh in
            guard let held = access.newest(by: refresh.arrival), !held.isYoung(at: refresh.time) else { return false }
            let uses = uses(of: held.token).before(refresh.number)
            return !uses.isEmpty && !uses.contains(where: \.isComplaint)
        }
    }

    /// Uses of a token after its end that came no later than its response had been.
    fileprivate var lateUses: [(use: Step, source: Step, token: HeldToken, overdue: Duration)] {
        var reported: Set<String> = []
        return complaints.compactMap { use in
            guard use.isRefused, let offer = use.access, offer.standing == .expired, let left = offer.timeLeft,
                let held = access.newest(by: use.arrival), held.token.id == offer.id, let source = held.source
            else { return nil }
            let overdue = Duration.zero - left
            guard overdue > TimeLimit.way.value, overdue <= source.wait, reported.insert(held.token.id).inserted else {
                return nil
            }
            return (use, source, held.token, overdue)
        }
    }
}
