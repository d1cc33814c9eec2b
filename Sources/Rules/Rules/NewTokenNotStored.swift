import ScenarioFormat
import Simulation

/// A later launch comes with an older token than an earlier one had received.
package enum NewTokenNotStored: Rule {
    package static let profile = RuleProfile(
        "B5",
        "new-token-not-stored",
        reason: "after the next start the app has only a used token, and the user has to sign in again",
        advice: "write new tokens to the store at once, before the request that waited for them is sent again",
        source: "RFC 6749, section 6"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        let episodes = history.episodes
        var first = episodes.startIndex
        return episodes.indices.compactMap { index -> RuleViolation? in
            let episode = episodes[index]
            if !episodes[first].device.utf8.elementsEqual(episode.device.utf8) { first = index }
            guard first < index, !history.hasStoreFault(upTo: episode),
                let (exchange, old, new) = episode.setback(in: episodes[first..<index]),
                let source = new.source
            else { return nil }
            return RuleViolation(
                "launch \(episode.launch) came with \(old.id) in exchange \(exchange.number), though launch "
                    + "\(source.launch) had received \(new.token.id) in exchange \(source.number)",
                exchanges: [exchange.number, source.number],
                device: episode.device
            )
        }
    }
}

extension Episode {
    /// A token that this launch came with, and the newer one that an earlier launch had received.
    fileprivate func setback(
        in earlier: ArraySlice<Episode>
    ) -> (exchange: Exchange, old: Token, new: HeldTokens.Entry)? {
        let stored = [TokenRoles.Role.refresh, .access].compactMap { role in
            newest(role, in: earlier).map { (role: role, new: $0) }
        }
        guard !stored.isEmpty else { return nil }
        for exchange in exchanges {
            for (role, new) in stored {
                guard let old = history.offered(role, in: exchange)?.id.flatMap(history.evidence.ledger.token(id:)),
                    roles.role(of: old.kind) == role, new.token.kind == old.kind, new.token.family == old.family,
                    new.token.id != old.id, isOlder(old, than: new)
                else { continue }
                return (exchange, old, new)
            }
            // What this launch has been given says nothing about what the last one stored.
            if history.result(of: exchange) == .renewed, history.wasReceived(exchange) { return nil }
        }
        return nil
    }

    /// The newest token that an earlier launch had received, and had the time to store.
    private func newest(_ role: TokenRoles.Role, in earlier: ArraySlice<Episode>) -> HeldTokens.Entry? {
        let held = role == .access ? access : refresh
        return held.received.last { entry in
            guard let source = entry.source, source.launch < launch else { return false }
            guard let episode = earlier.first(where: { $0.launch == source.launch && $0.process == process }) else {
                return false
            }
            let place = episode.row.place(of: source.number)
            let isUsed = source.granted.compactMap(\.id).contains { id in
                episode.row.uses(of: id).last.map { $0 > place } ?? false
            }
            return isUsed || episode.hadTime(after: source)
        }
    }

    private func isOlder(_ old: Token, than new: HeldTokens.Entry) -> Bool {
        guard let source = new.source else { return false }
        let bringer = exchanges.first?.number ?? 0
        return source.number < bringer && !source.granted.contains { $0.id == old.id } && old.issued <= new.token.issued
    }
}
