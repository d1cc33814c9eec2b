import Basics
import ScenarioFormat
import Simulation

/// Two processes of one device redeem the same refresh token.
///
/// A process that waits for the other one, and then reads the store again, never offers a token that the other one has
/// exchanged; so the time between the two does not matter.
package enum RefreshAcrossProcesses: Rule {
    package static let profile = RuleProfile(
        .refreshAcrossProcesses,
        reason: "the server takes the second one for a thief's, and both processes lose their session",
        advice: "take a lock that all processes share, read the store again under it, and refresh only if no other "
            + "process has; or claim the refresh by compare and swap",
        source: "RFC 6749, section 6; RFC 9700, section 4.14.2"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var violations = RepeatedViolations()
        for conflict in history.processConflicts {
            let (winner, loser) = (conflict.winner, conflict.loser)
            let together = winner.overlaps(loser) ? " at the same time" : ""
            violations.add(
                conflict.token.id,
                by: loser,
                RuleViolation(
                    "exchange \(loser.number) of \(loser.exchange.processWords) offered \(conflict.token.id), which "
                        + "\(winner.exchange.processWords) exchanged in exchange \(winner.number)\(together)",
                    [loser, winner],
                    in: conflict.episode
                )
            )
        }
        return violations.list
    }
}
