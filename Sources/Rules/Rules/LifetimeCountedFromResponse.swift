import JSON
import ScenarioFormat
import Simulation

/// The client counts a token's lifetime from the moment at which the response arrived.
package enum LifetimeCountedFromResponse: Rule {
    package static let profile = RuleProfile(
        "B12",
        "lifetime-counted-from-answer",
        reason: "on a slow network the app takes a token for good that has already expired",
        advice: "count the lifetime from the moment at which the token was asked for",
        source: "RFC 6749, section 5.1"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        let episodes = history.episodes
        var habits: [ExactText: Bool] = [:]
        return episodes.flatMap { episode -> [RuleViolation] in
            let uses = episode.lateUses
            guard !uses.isEmpty else { return [] }
            let device = ExactText(episode.device)
            let isProactive =
                habits[device]
                ?? episodes.contains { $0.device.utf8.elementsEqual(episode.device.utf8) && $0.isProactive }
            habits[device] = isProactive
            guard isProactive else { return [] }
            return uses.map { use, source, token, overdue in
                RuleViolation(
                    "exchange \(use.number) brought \(token.id) \(DurationText.text(overdue)) after its end, as a client "
                        + "does that counts from exchange \(source.number)'s response, which took "
                        + DurationText.text(source.wait),
                    exchanges: [use.number, source.number],
                    device: episode.device
                )
            }
        }
    }
}

extension Episode {
    /// Whether the client has renewed a token that had worked in this launch before it was refused.
    fileprivate var isProactive: Bool {
        refreshes.contains { refresh in
            guard let held = access.newest(by: refresh.arrival), !held.isYoung(at: refresh.time, in: roles) else {
                return false
            }
            let uses = row.uses(of: held.token.id).between(-1, row.place(of: refresh.number))
            return !uses.isEmpty && !uses.contains(where: row.isComplaint)
        }
    }

    /// Uses of a token after its end that came no later than its response had been.
    fileprivate var lateUses: [(use: Exchange, source: Exchange, token: Token, overdue: Duration)] {
        var told: Set<String> = []
        return row.complaints.compactMap { place in
            let use = exchanges[place]
            guard history.isRefused(use), let offered = history.offered(.access, in: use),
                offered.standing == .expired, let left = offered.timeLeft,
                let held = access.newest(by: use.arrival), held.token.id == offered.id, let source = held.source
            else { return nil }
            let overdue = Duration.zero - left
            guard overdue > TimeLimit.way.value, overdue <= source.wait, told.insert(held.token.id).inserted else {
                return nil
            }
            return (use, source, held.token, overdue)
        }
    }
}
