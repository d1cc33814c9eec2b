import JSON
import ScenarioFormat
import Simulation

/// What happened between the processes of one client, and to the store that they share.
extension TokenHistory {
    /// Whether the client's store was out of order at some time before the end of an episode, so that nothing follows
    /// from what was not stored.
    func hasStoreFault(upTo episode: Episode) -> Bool {
        let end = episode.exchanges.last?.number ?? 0
        return storeFaults.contains { $0.afterExchange <= end }
    }

    /// What was told about stores that were out of order.
    var storeFaults: [ClientStatement] {
        evidence.statements.filter { statement in
            statement.fact.utf8.elementsEqual(Session.storeFact.utf8)
                && statement.value.string.map { !$0.utf8.elementsEqual(Session.noStoreFault.utf8) } ?? false
        }
    }
}

/// A refresh in one process that offered a token which another process had exchanged.
struct ProcessConflict {
    /// The refresh that brought new tokens.
    var winner: Exchange
    /// The other one, which was refused.
    var loser: Exchange
    /// The refresh token that both offered.
    var token: Token
    /// Of the loser.
    var episode: Episode
}

extension TokenHistory {
    /// The conflicts in which the winner could store what it had received, in the order of the losers.
    ///
    /// A process that was killed, whose response was lost or whose store did not work may have stored nothing: then the
    /// old token is all that the other process can offer.
    var processConflicts: [ProcessConflict] {
        guard episodes.contains(where: { $0.process != nil }) else { return [] }
        return episodes.flatMap { episode in
            episode.refreshes.compactMap { conflict(of: $0, in: episode) }
        }.sorted { $0.loser.number < $1.loser.number }
    }

    private func conflict(of loser: Exchange, in episode: Episode) -> ProcessConflict? {
        guard let offered = offered(.refresh, in: loser), offered.isAccepted == false,
            offered.standing == .superseded || offered.standing == .reused,
            let id = offered.id, let token = evidence.ledger.token(id: id), let spender = spenders[id],
            !hasStoreFault(upTo: episode)
        else { return nil }
        let place = evidence.exchanges.place { $0.number < spender }
        guard evidence.exchanges.indices.contains(place) else { return nil }
        let winner = evidence.exchanges[place]
        guard winner.number == spender, isRefresh(winner), renews(winner), winner.process != loser.process,
            let other = episodes.first(where: {
                $0.device.utf8.elementsEqual(episode.device.utf8)
                    && $0.exchanges.first?.launchIdentity == winner.launchIdentity
            }),
            other.hasStored(after: winner)
        else { return nil }
        return ProcessConflict(winner: winner, loser: loser, token: token, episode: episode)
    }
}

extension Episode {
    /// Whether the process went on after a response, so that it had the time to store what that brought.
    fileprivate func hasStored(after winner: Exchange) -> Bool {
        let ids = winner.granted.compactMap(\.id)
        let place = row.place(of: winner.number)
        if ids.contains(where: { id in row.uses(of: id).last.map { $0 > place } ?? false }) { return true }
        return !hasCrashed && hadTime(after: winner)
    }
}
