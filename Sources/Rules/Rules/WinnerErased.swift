import ScenarioFormat
import Simulation

/// A process whose refresh was refused signs out or erases what another process has just stored.
package enum WinnerErased: Rule {
    package static let profile = RuleProfile(
        "B25",
        "winner-erased",
        reason: "the tokens that another process has just stored are good, and the user has to sign in again",
        advice: "when a refresh is refused, read the store again, and go on with newer tokens if there are any",
        source: "RFC 6749, section 5.2"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var told: Set<String> = []
        return history.processConflicts.compactMap { conflict -> RuleViolation? in
            let (winner, loser) = (conflict.winner, conflict.loser)
            guard history.result(of: loser) == .terminal, let signOut = history.signOut(after: conflict),
                let fresh = history.granted(.refresh, by: winner).last,
                history.isGood(fresh, before: signOut.number, at: signOut.time), told.insert(fresh.id).inserted
            else { return nil }
            return RuleViolation(
                "exchange \(loser.number) refused \(conflict.token.id) to \(loser.processWords), and \(signOut.words), "
                    + "although \(winner.processWords) had received \(fresh.id) in exchange \(winner.number)",
                exchanges: [loser.number, winner.number] + (signOut.exchange.map { [$0] } ?? []),
                device: conflict.episode.device
            )
        }
    }
}

/// How the session was given up, or the store emptied, after a refresh was refused.
private struct SignOut {
    var words: String
    /// The exchange before which the fresh token has to be good.
    var number: UInt64
    var time: VirtualTime
    var exchange: UInt64?
}

extension TokenHistory {
    /// The first sign that the loser of a conflict has taken the session away, soon after it was refused.
    fileprivate func signOut(after conflict: ProcessConflict) -> SignOut? {
        let (loser, episode) = (conflict.loser, conflict.episode)
        guard let end = loser.end, let winner = conflict.winner.end else { return nil }
        if let signOut = episode.signOut(since: max(end, winner)),
            signOut.moment.since(end) < TimeLimit.ownSignOut.value, !episode.isUsers(signOut)
        {
            return SignOut(
                words: "it \(signOut.words)",
                number: signOut.number + 1,
                time: signOut.time,
                exchange: signOut.exchange
            )
        }
        guard result(of: loser) == .terminal else { return nil }
        // Nothing of what follows is the client's own doing where its user has signed out.
        let after = evidence.exchanges.drop { $0.number <= loser.number }
        for exchange in after where exchange.arrival >= max(end, winner) {
            guard exchange.arrival.since(end) < TimeLimit.ownSignOut.value, purpose(of: exchange) != .signOut else {
                return nil
            }
            let lacksToken = purpose(of: exchange) == .resource && exchange.lacksTokens
            guard lacksToken, hasUsedTokens(before: exchange) else { continue }
            return SignOut(
                words: "\(exchange.processWords) sent exchange \(exchange.number) without a token",
                number: exchange.number,
                time: exchange.time,
                exchange: exchange.number
            )
        }
        return nil
    }

    /// Whether the same route was asked for with a token before, so that the client does not leave it out by design.
    private func hasUsedTokens(before exchange: Exchange) -> Bool {
        evidence.exchanges.prefix { $0.number < exchange.number }.contains { earlier in
            earlier.route == exchange.route && offered(.access, in: earlier)?.id != nil
        }
    }
}

extension Exchange {
    /// Whether a token is required, and there is none.
    var lacksTokens: Bool {
        offered.contains { $0.standing == .missing && $0.isAccepted == false } && !offered.contains { $0.id != nil }
    }
}
