import ScenarioFormat

/// Two processes on one device redeem the same refresh token.
///
/// A process that waits for the other one, and then reads the store again, never offers a token that the other one has
/// exchanged; so the time between the two does not matter.
///
/// - Evidence: a process sends a refresh token that another process of the device had exchanged, and the server refuses
///   it.
/// - Excuses: the other process was killed before it could store the new tokens, its response was lost, or the store
///   did not work.
/// - Undecided: nothing; without process names no rule distinguishes processes.
package enum RefreshAcrossProcesses: Rule {
    package static let profile = RuleProfile(
        rule: .refreshAcrossProcesses,
        reason: "the server treats the second use as theft, and both processes lose their session",
        advice: "acquire a lock that all processes share, read the store again while holding the lock, and refresh "
            + "only if no other process has refreshed; alternatively, claim the refresh by compare-and-swap",
        source: "RFC 6749, section 6; RFC 9700, section 4.14.2"
    )

    package static func findings(in history: TokenHistory) -> [RuleViolation] {
        history.processConflicts.map { winner, loser, token in
            let together = winner.overlaps(loser) ? " at the same time" : ""
            return RuleViolation(
                "exchange \(loser.number) of \(loser.exchange.processWords) sent \(token.id), which "
                    + "\(winner.exchange.processWords) had redeemed in exchange \(winner.number)\(together)",
                [loser, winner],
                group: token.id
            )
        }
    }
}
