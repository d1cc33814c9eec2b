import Basics
import ScenarioFormat
import Simulation

/// Two processes of one device redeem the same refresh token.
///
/// A process that waits for the other one, and then reads the store again, never offers a token that the other one has
/// exchanged; so the time between the two does not matter.
package enum RefreshAcrossProcesses: Rule {
    package static let profile = RuleProfile(
        "B24",
        "refresh-across-processes",
        reason: "the server takes the second one for a thief's, and both processes lose their session",
        advice: "take a lock that all processes share, read the store again under it, and refresh only if no other "
            + "process has; or claim the refresh by compare and swap",
        source: "RFC 6749, section 6; RFC 9700, section 4.14.2"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var told = RepeatedViolations()
        for conflict in history.processConflicts {
            let (winner, loser) = (conflict.winner, conflict.loser)
            let together = history.wereTogether(winner, loser) ? " at the same time" : ""
            told.add(
                conflict.token.id,
                by: loser.number,
                RuleViolation(
                    "exchange \(loser.number) of \(loser.processWords) offered \(conflict.token.id), which "
                        + "\(winner.processWords) exchanged in exchange \(winner.number)\(together)",
                    exchanges: [loser.number, winner.number],
                    device: conflict.episode.device
                )
            )
        }
        return told.list
    }
}

extension Exchange {
    /// The process as a part of a sentence.
    var processWords: String { process.map { "the process \($0.printable)" } ?? "the client" }
}
