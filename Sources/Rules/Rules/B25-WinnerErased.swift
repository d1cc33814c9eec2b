import Basics
import ScenarioFormat
import Simulation

/// A process whose refresh was refused signs out, or erases tokens that another process has just stored.
///
/// - Evidence: after losing a conflict of B24, a process signs out, signs in again, or makes the next requests go
///   without a token, while the other process's tokens are valid.
/// - Excuses: the user signed out, the request's route was never used with a token, or it came later than a client
///   reacts by itself.
/// - Undecided: nothing; only what happens within two seconds of the refusal counts.
package enum WinnerErased: Rule {
    package static let profile = RuleProfile(
        rule: .winnerErased,
        reason: "the user must sign in again although another process has just stored valid tokens",
        advice: "when a refresh is refused, read the store again and use any newer tokens that it contains",
        source: "RFC 6749, section 5.2"
    )

    package static func findings(in history: TokenHistory) -> [RuleViolation] {
        var reported: Set<String> = []
        return history.processConflicts.compactMap { winner, loser, token in
            guard loser.result == .terminal, let end = history.sessionEnd(after: loser, andAfter: winner),
                let fresh = winner.granted(.refresh).last, fresh.isGood(before: end.number + 1, at: end.time),
                reported.insert(fresh.id).inserted
            else { return nil }
            return RuleViolation(
                "exchange \(loser.number) refused \(token.id) of \(loser.exchange.processWords), and \(end.words), "
                    + "although \(winner.exchange.processWords) had received \(fresh.id) in exchange \(winner.number)",
                [loser, winner, end.step]
            )
        }
    }
}

extension TokenHistory {
    /// The first sign that the loser of a conflict has taken the session away, soon after it was refused.
    fileprivate func sessionEnd(after loser: Step, andAfter winner: Step) -> SessionEnd? {
        guard let episode = loser.episode, let end = loser.end, let winner = winner.end else { return nil }
        if var sessionEnd = episode.sessionEnd(since: max(end, winner)),
            sessionEnd.moment.since(end) < TimeLimit.ownSignOut.value, !episode.isUsers(sessionEnd)
        {
            sessionEnd.words = "it \(sessionEnd.words)"
            return sessionEnd
        }
        // Nothing of what follows is the client's own doing where its user has signed out.
        for step in steps.after(loser) where step.arrival >= max(end, winner) {
            guard step.arrival.since(end) < TimeLimit.ownSignOut.value, step.purpose != .signOut else { return nil }
            // A client that never sends a token to the route leaves it out by design.
            guard step.purpose == .resource, step.exchange.lacksTokens,
                steps.before(step.number).contains(where: { $0.route == step.route && $0.access?.id != nil })
            else { continue }
            var sessionEnd = SessionEnd("", in: step)
            sessionEnd.words = "\(step.exchange.processWords) sent exchange \(step.number) without a token"
            return sessionEnd
        }
        return nil
    }
}
