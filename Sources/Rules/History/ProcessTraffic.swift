import Basics
import JSON
import ScenarioFormat
import Simulation

/// What happened between the processes of one client, and to the store that they share.
extension TokenHistory {
    /// Whether the client's store was out of order at some time before the end of an episode, so that nothing follows
    /// from what was not stored.
    func hasStoreFault(upTo episode: Episode) -> Bool {
        let end = episode.steps.last?.number ?? 0
        return storeFaults.contains { $0.afterExchange <= end }
    }

    /// The reports about stores that were out of order.
    var storeFaults: [ClientStatement] {
        evidence.statements.filter { statement in
            statement.fact.hasSameUTF8(as: Session.storeFact)
                && statement.value.string.map { !$0.hasSameUTF8(as: Session.noStoreFault) } ?? false
        }
    }
}

/// A refresh in one process that offered a token which another process had exchanged.
struct ProcessConflict {
    /// The refresh that brought new tokens.
    var winner: Step
    /// The other one, which was refused.
    var loser: Step
    /// The refresh token that both offered.
    var token: HeldToken
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

    private func conflict(of loser: Step, in episode: Episode) -> ProcessConflict? {
        guard let offered = loser.refresh, offered.isAccepted == false,
            offered.standing == .superseded || offered.standing == .reused,
            let token = offered.token, let winner = token.spender,
            !hasStoreFault(upTo: episode), winner.isRefresh, winner.isRenewal, winner.process != loser.process,
            let other = episodes.first(where: {
                $0.device.hasSameUTF8(as: episode.device)
                    && $0.steps[0].exchange.launchIdentity == winner.exchange.launchIdentity
            }),
            other.hasStored(after: winner)
        else { return nil }
        return ProcessConflict(winner: winner, loser: loser, token: token, episode: episode)
    }
}

extension Episode {
    /// Whether the process went on after a response, so that it had the time to store what that brought.
    fileprivate func hasStored(after winner: Step) -> Bool {
        isUsed(winner) || !hasCrashed && hadTime(after: winner)
    }

    /// Returns whether a token that a step brought was sent later.
    func isUsed(_ bringer: Step) -> Bool {
        bringer.exchange.granted.compactMap(\.id).contains { id in
            history.token(id: id).flatMap { uses(of: $0).last }.map { $0.number > bringer.number } ?? false
        }
    }
}
