import Basics
import JSON
import ScenarioFormat
import Simulation

/// The traffic between the processes of one client, and the faults of the store that they share.
extension TokenHistory {
    /// Returns whether the client's store was out of order at some time before the end of an episode, so that nothing
    /// follows from what was not stored.
    func hasStoreFault(upTo episode: Episode) -> Bool {
        let end = episode.steps.last?.number ?? 0
        return storeFaults.contains { $0.afterExchange <= end }
    }

    /// The reports about stores that were out of order.
    var storeFaults: [ClientStatement] {
        evidence.statements.filter { statement in
            statement.fact.exact == ClientRecord.storeFact.exact
                && statement.value.string.map { $0.exact != ClientRecord.noStoreFault.exact } ?? false
        }
    }
}

extension TokenHistory {
    /// A refresh that brought new tokens, one in another process that was refused, and the refresh token that both offered.
    typealias ProcessConflict = (winner: Step, loser: Step, token: HeldToken)

    /// The conflicts in which the winner could store what it had received, in the order of the losers.
    ///
    /// A process that was killed, whose response was lost or whose store did not work may have stored nothing: then the
    /// old token is all that the other process can offer.
    var processConflicts: [ProcessConflict] {
        steps.compactMap { loser in
            guard loser.isRefresh, let offered = loser.refresh, offered.isAccepted == false,
                offered.standing == .superseded || offered.standing == .reused,
                let token = offered.token, let winner = token.spender, winner.process != loser.process,
                winner.isRefresh, winner.isRenewal, let episode = loser.episode, !hasStoreFault(upTo: episode),
                let other = winner.episode, other.device.exact == episode.device.exact,
                other.isUsed(winner) || !other.hasCrashed && other.hadTime(after: winner)
            else { return nil }
            return (winner, loser, token)
        }
    }
}

extension Episode {
    /// Returns whether a token that a step brought was sent later.
    func isUsed(_ bringer: Step) -> Bool {
        bringer.exchange.granted.compactMap(\.id).contains { id in
            history.token(id: id).flatMap { uses(of: $0).last }.map { $0.number > bringer.number } ?? false
        }
    }
}
