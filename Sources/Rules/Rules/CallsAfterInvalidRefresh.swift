import HTTPCodec
import ScenarioFormat
import Simulation

/// The client goes on with tokens after it was told that they are permanently invalid.
package enum CallsAfterInvalidRefresh: Rule {
    package static let profile = RuleProfile(
        "B10",
        "calls-after-invalid-refresh",
        reason: "the user sees errors for ever instead of the sign-in",
        advice: "when a refresh is refused for good, drop the tokens, stop what is waiting, and show the sign-in",
        source: "RFC 6749, section 5.2"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.flatMap { episode in
            episode.afterlives.map { afterlife in
                let (refused, calls) = (afterlife.refused, afterlife.calls)
                let token = history.offered(.refresh, in: refused)?.id ?? "the refresh token"
                let dead = calls.compactMap { history.offered(history.isRefresh($0) ? .refresh : .access, in: $0)?.id }
                return RuleViolation(
                    "exchange \(refused.number) refused \(token) for good (\(refused.response.status.code)), and the "
                        + "client still sent \(Sentences.exchanges(calls.map(\.number))) with "
                        + Sentences.list(Array(dead.unique.prefix(4)), "and") + history.rate(of: calls, after: refused),
                    exchanges: calls.map(\.number) + [refused.number],
                    device: episode.device,
                    isUnclear: afterlife.isUnclear
                )
            }
        } + revivals(in: history)
    }

    /// Finds refresh tokens that a launch of the client offers although an earlier one knew that they were not valid.
    private static func revivals(in history: TokenHistory) -> [RuleViolation] {
        var violations: [RuleViolation] = []
        var dead: [String: Exchange] = [:]
        var owner: (device: String, process: String?)?
        for episode in history.episodes {
            let isSame = owner.map {
                $0.device.utf8.elementsEqual(episode.device.utf8) && $0.process == episode.process
            }
            if isSame != true { (owner, dead) = ((episode.device, episode.process), [:]) }
            // What cannot be stored cannot be forgotten.
            if history.hasStoreFault(upTo: episode) { dead = [:] }
            for refresh in episode.refreshes {
                guard let id = history.offered(.refresh, in: refresh)?.id, let refused = dead[id],
                    refused.launch < refresh.launch
                else { continue }
                dead[id] = nil
                violations.append(
                    RuleViolation(
                        "exchange \(refused.number) refused \(id) for good (\(refused.response.status.code)) in launch "
                            + "\(refused.launch), and exchange \(refresh.number) offered it again in launch "
                            + "\(refresh.launch)",
                        exchanges: [refresh.number, refused.number],
                        device: episode.device
                    )
                )
            }
            if !episode.row.signIns.isEmpty { dead = [:] }
            for refresh in episode.refreshes where history.result(of: refresh) == .terminal {
                // A client that was killed at once could not forget it.
                guard episode.hadTime(after: refresh), let id = history.offered(.refresh, in: refresh)?.id else {
                    continue
                }
                if dead[id] == nil { dead[id] = refresh }
            }
        }
        return violations
    }
}

extension TokenHistory {
    /// How many refreshes are told with their rate.
    private static let manyRefreshes = 5

    /// How often refreshes came, where they are many: `, 8 refreshes a second`.
    fileprivate func rate(of calls: [Exchange], after refused: Exchange) -> String {
        let refreshes = calls.filter(isRefresh)
        guard refreshes.count >= Self.manyRefreshes, let last = refreshes.last else { return "" }
        let time = last.arrival.since(refused.arrival).components
        let milliseconds = time.seconds * 1_000 + time.attoseconds / 1_000_000_000_000_000
        guard milliseconds > 0 else { return "" }
        let (perSecond, perMinute) = (
            Int64(refreshes.count) * 1_000 / milliseconds, Int64(refreshes.count) * 60_000 / milliseconds
        )
        if perSecond > 0 { return ", about \(perSecond) refresh\(perSecond == 1 ? "" : "es") a second" }
        return perMinute > 0 ? ", about \(perMinute) refresh\(perMinute == 1 ? "" : "es") a minute" : ""
    }
}

/// What a client went on with after a refresh that was refused permanently.
private struct ContinuedUse {
    var refused: Exchange
    var calls: [Exchange] = []
    /// Those that cannot be judged, because the server was late.
    var unclear: [Exchange] = []
    var isUnclear = false
}

extension Episode {
    fileprivate var afterlives: [ContinuedUse] {
        var afterlives: [ContinuedUse] = []
        var open: ContinuedUse?
        func close() {
            if var closed = open, !closed.calls.isEmpty || !closed.unclear.isEmpty {
                if closed.calls.isEmpty { (closed.calls, closed.isUnclear) = (closed.unclear, true) }
                afterlives.append(closed)
            }
            open = nil
        }
        for exchange in exchanges {
            switch history.purpose(of: exchange) {
            case .signIn: close()
            case .refresh where history.result(of: exchange) == .renewed: close()
            case .refresh, .resource:
                guard let refused = open?.refused else {
                    let isRefresh = history.isRefresh(exchange)
                    if isRefresh, history.result(of: exchange) == .terminal { open = ContinuedUse(refused: exchange) }
                    continue
                }
                switch knowledge(of: refused, in: exchange) {
                case .yes: open?.calls.append(exchange)
                case .unclear: open?.unclear.append(exchange)
                case .no: break
                }
            case .signOut, .open: continue
            }
        }
        close()
        return afterlives
    }

    /// Whether a request with invalid tokens was sent by a client that knew of the refusal.
    private func knowledge(of refused: Exchange, in exchange: Exchange) -> Following {
        if history.isRefresh(exchange) { return repetition(of: refused, in: exchange) }
        guard history.isRefused(exchange), isOld(exchange, refused) else { return .no }
        let following = history.follows(exchange, from: refused)
        return switch history.mayHaveWaited(exchange, for: refused) {
        case .yes: .no
        case .unclear: following == .yes ? .unclear : following
        case .no: following
        }
    }

    /// Whether an invalid refresh token is offered once more by a client that knows that it is not valid.
    ///
    /// A sibling that was sent at the same time knows nothing. A request that was made and refused meanwhile shows that
    /// the client does, and so does the third offer: one refresh at a time makes only one.
    private func repetition(of refused: Exchange, in refresh: Exchange) -> Following {
        guard let id = history.offered(.refresh, in: refused)?.id, refresh.brings(id), let end = refused.end,
            refresh.arrival >= end
        else { return .no }
        let following = history.reoffers(refresh, after: refused)
        guard following != .yes else { return .yes }
        let (first, last) = (row.place(of: refused.number), row.place(of: refresh.number))
        if row.uses(of: id).between(-1, last).count(where: { history.isRefresh(exchanges[$0]) }) >= 2 { return .yes }
        let isKnown = row.complaints.between(first, last).contains { complaint in
            exchanges[complaint].begin >= end && exchanges[complaint].end.map { $0 <= refresh.begin } ?? false
        }
        return isKnown ? .yes : following
    }

    /// Whether a request brings an access token from before the end of the session, and none is newer.
    private func isOld(_ exchange: Exchange, _ refused: Exchange) -> Bool {
        guard let offered = history.offered(.access, in: exchange), offered.standing.isDead, let id = offered.id,
            let end = refused.end
        else { return false }
        return access.newest(by: end).map { $0.token.id == id || $0.token.kind != offered.kind } ?? true
    }
}
