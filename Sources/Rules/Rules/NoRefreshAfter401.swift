import HTTPCodec
import ScenarioFormat
import Simulation

/// A resource refused an invalid access token, and the client went on without refreshing although it could have.
package enum NoRefreshAfter401: Rule {
    package static let profile = RuleProfile(
        "B1",
        "no-refresh-after-401",
        reason: "the user is stuck or signed out although a good refresh token lies in the store",
        advice: "when a resource refuses the access token, refresh once and send the request again",
        source: "RFC 6749, section 1.5; RFC 6750, section 3.1"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.flatMap { episode in
            episode.firstRefusals.compactMap { refused, token, standing -> RuleViolation? in
                guard let remedy = episode.remedy(for: refused, token) else { return nil }
                let certain = episode.omission(after: refused, token, remedy)
                let doubtful = certain ?? episode.omission(after: refused, token, remedy, countingUnclear: true)
                guard let (words, others) = doubtful else { return nil }
                return RuleViolation(
                    "exchange \(refused.number) refused \(token.id) (\(standing.words)), and the client \(words), "
                        + "which was good",
                    exchanges: [refused.number] + others,
                    device: episode.device,
                    isUnclear: certain == nil
                )
            }
        }
    }
}

extension Episode {
    /// The first refusal of each access token that the client has learned of, in their order.
    fileprivate var firstRefusals: [(exchange: Exchange, token: Token, standing: TokenStanding)] {
        var seen: Set<String> = []
        return row.complaints.compactMap { place in
            let exchange = exchanges[place]
            guard history.isRefused(exchange),
                let offered = history.offered(.access, in: exchange), offered.isAccepted == false,
                offered.standing.isDead, let token = offered.id.flatMap(history.evidence.ledger.token(id:)),
                seen.insert(token.id).inserted
            else { return nil }
            return (exchange, token, offered.standing)
        }
    }

    /// The refresh token with which the client could have renewed a refused one at once.
    fileprivate func remedy(for refused: Exchange, _ token: Token) -> Token? {
        guard let end = refused.end, roles.purposes.values.contains(.refresh) else { return nil }
        if let newest = access.newest(by: end), newest.number > 0, newest.token.id != token.id { return nil }
        guard !isStillborn(token, before: refused), !isRepeated(refused, with: token) else { return nil }
        guard let remedy = refresh.newest(by: end)?.token, remedy.family == token.family else { return nil }
        return history.isGood(remedy, before: refused.number, at: refused.time) ? remedy : nil
    }

    /// Whether a refresh of this launch brought the token and it was never accepted: a client that stops then is right.
    private func isStillborn(_ token: Token, before refused: Exchange) -> Bool {
        guard let source = history.grants[token.id], source < refused.number else { return false }
        let bringer = row.place(of: source)
        guard row.refreshes[row.refreshes.place(of: bringer)...].first == bringer else { return false }
        let uses = row.uses(of: token.id)
        return !uses[..<uses.place(of: row.place(of: refused.number))].contains { use in
            exchanges[use].offered.contains { $0.id == token.id && $0.isAccepted == true }
        }
    }

    /// Whether the request was refused before with the token's predecessor and is sent again with the token that a refresh
    /// brought: a client that does not refresh twice for one request is right.
    private func isRepeated(_ refused: Exchange, with token: Token) -> Bool {
        guard let source = history.grants[token.id] else { return false }
        let earlier = row.complaints[..<row.complaints.place(of: row.place(of: source))].map { exchanges[$0] }
        guard let last = earlier.last.flatMap({ history.offered(.access, in: $0)?.id }) else { return false }
        return earlier.reversed().prefix { history.offered(.access, in: $0)?.id == last }.contains {
            $0.request.method == refused.request.method && $0.request.target == refused.request.target
        }
    }

    /// What the client did instead, as the end of a sentence; `nil` where it did nothing wrong or cannot have done it.
    ///
    /// - Parameter isUnclearCounted: whether a request counts as a later one too that would be, had the server not been
    ///   late itself.
    fileprivate func omission(
        after refused: Exchange,
        _ token: Token,
        _ remedy: Token,
        countingUnclear isUnclearCounted: Bool = false
    ) -> (String, [UInt64])? {
        let place = row.place(of: refused.number)
        // One that failed before is a reason to wait with the next.
        let isTried =
            row.refresh(for: place) != nil || hasAdoptedAnother(than: token, after: place)
            || row.refreshes.contains { history.result(of: exchanges[$0]) != .renewed }
        guard !isTried, !hasLeft(during: refused), hadTime(after: refused, countingUnclear: isUnclearCounted) else {
            return nil
        }
        let later = row.complaints[row.complaints.place(of: place + 1)...].first {
            history.isBefore(refused, exchanges[$0], countingUnclear: isUnclearCounted)
                && history.isRefused(exchanges[$0])
        }
        let next = later.map { exchanges[$0] }
        if let signOut = signOut(since: refused.end ?? refused.arrival),
            next.map({ signOut.number < $0.number }) ?? true
        {
            return ("\(signOut.words) instead of refreshing with \(remedy.id)", signOut.exchange.map { [$0] } ?? [])
        }
        if let next {
            return ("went on to exchange \(next.number) instead of refreshing with \(remedy.id)", [next.number])
        }
        return ("never refreshed with \(remedy.id)", [])
    }

    /// Whether a process went on with a token that another process had received.
    private func hasAdoptedAnother(than token: Token, after place: Int) -> Bool {
        guard process != nil else { return false }
        return exchanges[place...].contains { exchange in
            history.offered(.access, in: exchange).map { $0.isAccepted == true && $0.id != token.id } ?? false
        }
    }

    /// Whether the session was given up while the request was under way, so that there was nothing left to renew.
    private func hasLeft(during refused: Exchange) -> Bool {
        guard let end = refused.end else { return false }
        return signOuts.contains { signOut in
            if signOut.moment > end {
                // The refusal may still have been on its way to a client whose user signed out.
                return isUsers(signOut) && signOut.moment.since(end) <= TimeLimit.transit.value
            }
            return refused.arrival.since(signOut.moment) <= TimeLimit.transit.value
        }
    }
}
