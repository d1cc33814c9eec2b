import Basics
import ScenarioFormat
import Simulation

/// The client refreshes before every call, because its lead is as long as the token's lifetime.
package enum RefreshWithoutNeed: Rule {
    package static let profile = RuleProfile(
        .refreshWithoutNeed,
        reason: "a lead that is longer than the lifetime doubles the traffic, and runs into the limits of the server",
        advice: "let the lead be a part of the lifetime that the server announces, such as a tenth",
        source: "RFC 6749, section 5.1"
    )

    /// How many refreshes in a row show that it is no single wish, such as one for new claims.
    private static let fewest = 3

    package static func violations(in episode: Episode) -> [RuleViolation] {
        guard let run = episode.needlessRun, run.count >= fewest, !episode.hasWrongClock(at: run[run.count - 1].refresh)
        else { return [] }
        return [
            RuleViolation(
                "\(Sentences.exchanges(run.map(\.refresh.number))) refreshed with nothing refused, one before each call; "
                    + "at the first of them \(run[0].token.id) was good for another \(run[0].token.timeLeft(at: run[0].refresh))",
                run.map(\.refresh)
            )
        ]
    }
}

extension Episode {
    /// The refreshes that replaced a young token that had served one call; `nil` where any token served a later one, too,
    /// or was refused, since such a client refreshes for another reason.
    ///
    /// What was refused before the first refresh is the reason for that one alone.
    fileprivate var needlessRun: [(refresh: Step, token: HeldToken)]? {
        let renewals = refreshes.filter(\.isRenewal)
        guard renewals.count == refreshes.count, let first = renewals.first,
            complaints.last.map({ $0.number < first.number }) ?? true
        else { return nil }
        var run: [(refresh: Step, token: HeldToken)] = []
        for (earlier, later) in zip(renewals, renewals.dropFirst()) {
            guard let token = earlier.granted(.access).last, earlier.breaks == nil, !earlier.overlaps(later) else {
                return nil
            }
            let uses = uses(of: token)
            // After the refusals their requests come again, at the same time or not.
            let replays = earlier === first ? complaints.count : 0
            guard let use = uses.first, use.number > earlier.number,
                uses.count <= replays || uses.dropFirst().allSatisfy({ use.overlaps($0) })
            else { return nil }
            guard token.isGood(before: later), token.isYoung(at: later.time, broughtBy: earlier) else { return nil }
            run.append((later, token))
        }
        return run
    }
}
