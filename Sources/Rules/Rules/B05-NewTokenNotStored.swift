import ScenarioFormat
import Simulation

/// A later launch sends an older token than an earlier launch received.
///
/// - Evidence: before it receives tokens itself, a launch sends a token that is older than one which an earlier launch
///   of the same process had received in the same session.
/// - Excuses: the store did not work, or the earlier launch was killed before it could store the token.
/// - Undecided: nothing; a token that reached no later request of its launch counts only if the client had time to
///   store it.
package enum NewTokenNotStored: Rule {
    package static let profile = RuleProfile(
        rule: .newTokenNotStored,
        reason: "after the next launch, the app has only a used token, so the user must sign in again",
        advice: "store new tokens immediately, before the waiting request is sent again",
        source: "RFC 6749, section 6"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        guard !episode.history.hasStoreFault(upTo: episode), let (step, old, new, source) = episode.setback else {
            return []
        }
        return [
            RuleViolation(
                "launch \(episode.launch) sent \(old.id) in exchange \(step.number), although launch "
                    + "\(source.launch) had received \(new.id) in exchange \(source.number)",
                [step, source]
            )
        ]
    }
}

extension Episode {
    /// A token that this launch came with, and the newer one that an earlier launch had received.
    fileprivate var setback: (step: Step, old: HeldToken, new: HeldToken, source: Step)? {
        let stored = [refresh, access].compactMap(newest)
        guard !stored.isEmpty else { return nil }
        for step in steps {
            for (new, source) in stored {
                guard let old = (new.role == .refresh ? step.refresh : step.access)?.token, old.kind == new.kind,
                    old.family == new.family, old !== new, old.audience == new.audience,
                    source.number < steps[0].number, old.issued <= new.issued,
                    !source.exchange.granted.contains(where: { $0.id == old.id })
                else { continue }
                return (step, old, new, source)
            }
            // The tokens that this launch received do not show which ones the last launch stored.
            if step.isRenewal { return nil }
        }
        return nil
    }

    /// The newest token that an earlier launch had received, and had the time to store.
    private func newest(_ held: HeldTokens) -> (token: HeldToken, source: Step)? {
        held.received.reversed().lazy.compactMap { entry in
            guard let source = entry.source, source.launch < self.launch, let episode = source.episode,
                episode.isUsed(source) || episode.hadTime(after: source)
            else { return nil }
            return (entry.token, source)
        }.first
    }
}
