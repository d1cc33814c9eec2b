import ScenarioFormat
import Simulation

/// A refresh token is offered again although its successor had arrived.
package enum RotatedTokenReused: Rule {
    package static let profile = RuleProfile(
        "B4",
        "rotated-token-reused",
        reason: "a server takes a used refresh token for a stolen one and ends every session of the device",
        advice: "replace the stored refresh token by the new one before anything else can read it",
        source: "RFC 6749, section 6; RFC 9700, section 4.14.2"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.flatMap { episode -> [RuleViolation] in
            var told: Set<String> = []
            return episode.refreshes.compactMap { refresh in
                guard let (exchange, old, new, following) = episode.successor(of: refresh),
                    told.insert(following == .yes ? old.id : "\(old.id) unclear").inserted
                else { return nil }
                let spender = history.spenders[old.id] ?? exchange.number
                let isInGrace = history.offered(.refresh, in: refresh)?.isAccepted == true
                let words =
                    spender == exchange.number
                    ? "exchange \(spender) had exchanged it for \(new.id)"
                    : "exchange \(spender) had used it up and exchange \(exchange.number) had brought \(new.id)"
                return RuleViolation(
                    "exchange \(refresh.number) offered \(old.id) again"
                        + "\(isInGrace ? " within the grace" : ""), though \(words)",
                    exchanges: [refresh.number, exchange.number],
                    device: episode.device,
                    isUnclear: following == .unclear
                )
            }
        }
    }
}

extension Episode {
    /// The exchange that had brought the successor of an offered refresh token, and both tokens.
    fileprivate func successor(
        of refresh: Exchange
    ) -> (exchange: Exchange, old: Token, new: Token, Following)? {
        guard let offered = history.offered(.refresh, in: refresh), history.isSpent(offered),
            let old = offered.id.flatMap(history.evidence.ledger.token(id:))
        else { return nil }
        let bringer = row.last(in: row.renewals(of: old.family), before: row.place(of: refresh.number)) { _ in true }
            .map { exchanges[$0] }
        guard let bringer, let new = history.granted(.refresh, by: bringer).last, new.id != old.id,
            new.kind == old.kind, spentBefore(bringer, old)
        else { return nil }
        var following = knowledge(of: bringer, in: refresh)
        // A server that still accepts the old one expects it from requests that were under way: only the new access
        // token in use shows that this is none of those.
        if offered.isAccepted == true, !isUsed(after: bringer, before: refresh) { following = .no }
        return following == .no ? nil : (bringer, old, new, following)
    }

    /// Whether the old token was no longer valid when the new one was brought.
    private func spentBefore(_ bringer: Exchange, _ old: Token) -> Bool {
        history.spenders[old.id].map { $0 <= bringer.number } ?? (old.ended.map { $0 <= bringer.time } ?? false)
    }

    /// Whether the client had the new tokens when it sent the request.
    ///
    /// One of them that was used meanwhile shows it, however fast all that went.
    private func knowledge(of bringer: Exchange, in refresh: Exchange) -> Following {
        let following = history.reoffers(refresh, after: bringer)
        guard following != .yes else { return .yes }
        return isUsed(after: bringer, before: refresh) ? .yes : following
    }

    /// Whether an access token that came with the new refresh token was used before the old one was offered again.
    private func isUsed(after bringer: Exchange, before refresh: Exchange) -> Bool {
        let ids = history.granted(.access, by: bringer).map(\.id)
        let span = (row.place(of: bringer.number), row.place(of: refresh.number))
        return ids.contains { id in
            row.uses(of: id).between(span.0, span.1).contains { exchanges[$0].arrival < refresh.begin }
        }
    }
}

extension TokenHistory {
    /// Whether a refresh token has been exchanged for another one before, still accepted or not.
    fileprivate func isSpent(_ offered: OfferedToken) -> Bool {
        switch offered.standing {
        case .superseded, .reused: offered.isAccepted != nil
        case .valid where offered.isAccepted == true: offered.id.map { spenders[$0] != nil } ?? false
        default: false
        }
    }
}
