import HTTPWire
import ScenarioFormat
import Simulation

/// The client goes on with tokens after it was told that they are dead for good.
package enum CallsAfterInvalidRefresh: Judgement {
    package static let profile = JudgementProfile(
        "B10",
        "calls-after-invalid-refresh",
        reason: "the user sees errors for ever instead of the sign-in",
        advice: "when a refresh is refused for good, drop the tokens, stop what is waiting, and show the sign-in",
        source: "RFC 6749, section 5.2"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        history.episodes.flatMap { episode in
            episode.afterlives.map { refused, calls in
                let token = history.offered(.refresh, in: refused)?.id ?? "the refresh token"
                let dead = calls.compactMap { history.offered(history.isRefresh($0) ? .refresh : .access, in: $0)?.id }
                return Offence(
                    "exchange \(refused.number) refused \(token) for good (\(refused.response.status.code)), and the "
                        + "client still sent \(Words.exchanges(calls.map(\.number))) with "
                        + Words.list(Array(dead.unique.prefix(4)), "and"),
                    exchanges: calls.map(\.number) + [refused.number],
                    device: episode.device
                )
            }
        }
    }
}

extension Episode {
    /// What the client went on with after each refresh that was refused for good.
    fileprivate var afterlives: [(refused: Exchange, calls: [Exchange])] {
        var afterlives: [(refused: Exchange, calls: [Exchange])] = []
        var open: Exchange?
        var calls: [Exchange] = []
        func close() {
            if let open, !calls.isEmpty { afterlives.append((open, calls)) }
            (open, calls) = (nil, [])
        }
        for exchange in exchanges {
            switch history.purpose(of: exchange) {
            case .signIn: close()
            case .refresh where history.result(of: exchange) == .renewed: close()
            case .refresh:
                guard let refused = open else {
                    if history.result(of: exchange) == .terminal { open = exchange }
                    continue
                }
                if isRepeated(exchange, after: refused) { calls.append(exchange) }
            case .resource:
                guard let refused = open, history.isClearlyBefore(refused, exchange), history.isRefused(exchange),
                    isOld(exchange, refused)
                else { continue }
                calls.append(exchange)
            case .signOut, .open: continue
            }
        }
        close()
        return afterlives
    }

    /// Whether a dead refresh token is offered once more by a client that knows it to be dead.
    ///
    /// A sibling that was sent at the same time knows nothing; a request that was made and refused meanwhile does.
    private func isRepeated(_ refresh: Exchange, after refused: Exchange) -> Bool {
        guard let id = history.offered(.refresh, in: refused)?.id, refresh.brings(id), let end = refused.end,
            refresh.arrival >= end
        else { return false }
        if history.isClearlyBefore(refused, refresh) { return true }
        let span = row.complaints.between(row.place(of: refused.number), row.place(of: refresh.number))
        return span.contains { complaint in
            exchanges[complaint].arrival >= end && exchanges[complaint].end.map { $0 <= refresh.arrival } ?? false
        }
    }

    /// Whether a request brings an access token from before the end of the session, and none is newer.
    private func isOld(_ exchange: Exchange, _ refused: Exchange) -> Bool {
        guard let offered = history.offered(.access, in: exchange), offered.standing.isDead, let id = offered.id,
            let end = refused.end
        else { return false }
        return access.newest(by: end).map { $0.token.id == id } ?? true
    }
}
