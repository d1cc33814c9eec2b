import ScenarioFormat
import Simulation

/// Two refreshes of one device where one would have served both.
package enum RefreshStorm: Rule {
    package static let profile = RuleProfile(
        "B2",
        "refresh-storm",
        reason: "where refresh tokens rotate, the second refresh offers a used one and the server signs the user out",
        advice: "share one refresh among all requests that wait for it, and let those that come later use its result",
        source: "RFC 6749, section 6; RFC 9700, section 4.14.2"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.flatMap { episode in
            episode.storms.map { storm in
                RuleViolation(episode.sentence(storm), exchanges: storm.map(\.number), device: episode.device)
            }
        }
    }
}

extension Episode {
    /// Refreshes that one would have served, two or more together, in the order of the first of each.
    fileprivate var storms: [[Exchange]] {
        var storms: [[Exchange]] = []
        for refresh in refreshes {
            // Only the last few matter: whatever is needless is needless after the newest success too.
            let recent = storms.last?.suffix(8) ?? []
            if recent.contains(where: { isNeedless(refresh, after: $0) }) {
                storms[storms.count - 1].append(refresh)
            } else {
                storms.append([refresh])
            }
        }
        return storms.filter { $0.count > 1 }
    }

    private func isNeedless(_ later: Exchange, after earlier: Exchange) -> Bool {
        guard family(of: later) == family(of: earlier), !hasSignIn(between: earlier, later) else { return false }
        if history.wereTogether(earlier, later) { return !isRetry(later, of: earlier) }
        return isRenewed(later, by: earlier)
    }

    /// Whether the client may have given the first one up before it sent the second.
    ///
    /// A server notices only after a while that a client has gone away.
    private func isRetry(_ later: Exchange, of earlier: Exchange) -> Bool {
        guard let end = earlier.end, earlier.fault != .never else { return true }
        if history.wasReceived(earlier) { return false }
        return end.since(later.arrival) < TimeLimit.abandonment.value
    }

    /// Whether the first one had brought an access token that there was no reason to renew.
    private func isRenewed(_ later: Exchange, by earlier: Exchange) -> Bool {
        guard history.result(of: earlier) == .renewed, earlier.breaks == nil,
            let token = history.granted(.access, by: earlier).last,
            history.isGood(token, before: later.number, at: later.time),
            HeldTokens.Entry(token: token, source: earlier).isYoung(at: later.time, in: roles)
        else { return false }
        let end = row.place(of: later.number)
        let uses = row.uses(of: token.id).between(row.place(of: earlier.number), end)
        guard !uses.contains(where: row.isComplaint) else { return false }
        // A clock that is wrong makes every new token look old: B11 says so.
        if uses.isEmpty { return !hasWrongClock(at: later) }
        // A call that was refused before, and has not tried again, may have asked for the second one.
        let last = row.last(in: row.complaints, before: end) { !$0.brings(token.id) }
        guard let dead = last.flatMap({ history.offered(.access, in: exchanges[$0])?.id }) else { return false }
        let served = Set(uses.map(row.requestNumber))
        return row.uses(of: dead).between(-1, end).contains { use in
            row.isComplaint(use) && !exchanges[use].brings(token.id) && !served.contains(row.requestNumber(use))
        }
    }

    private func hasSignIn(between earlier: Exchange, _ later: Exchange) -> Bool {
        !row.signIns.between(row.place(of: earlier.number), row.place(of: later.number)).isEmpty
    }

    private func family(of refresh: Exchange) -> Int? {
        history.offered(.refresh, in: refresh)?.id.flatMap(history.evidence.ledger.token(id:))?.family
    }

    fileprivate func sentence(_ storm: [Exchange]) -> String {
        let isTogether = zip(storm, storm.dropFirst()).allSatisfy { history.wereTogether($0, $1) }
        let tokens = storm.compactMap { history.offered(.refresh, in: $0)?.id }.unique
        let with = tokens.isEmpty ? "" : " with \(Sentences.list(tokens, "and"))"
        var sentence = "\(Sentences.exchanges(storm.map(\.number))) refreshed "
        sentence += isTogether ? "at the same time\(with)" : "one after the other\(with)"
        let dead = deaths(before: storm)
        if let id = dead.id {
            sentence += ", for \(id), which had died in \(Sentences.exchanges(dead.exchanges))"
        } else if !isTogether, let token = history.granted(.access, by: storm[0]).last {
            sentence += ", though \(token.id) was good already"
        }
        return sentence + "; one refresh would have served \(storm.count == 2 ? "both" : "all")"
    }

    /// The access token that was refused before the storm, and where.
    private func deaths(before storm: [Exchange]) -> (id: String?, exchanges: [UInt64]) {
        guard let last = storm.last else { return (nil, []) }
        let end = row.place(of: last.number)
        let refused = row.last(in: row.complaints, before: end, where: history.isRefused)
        guard let id = refused.flatMap({ history.offered(.access, in: exchanges[$0])?.id }) else { return (nil, []) }
        let uses = row.uses(of: id).between(-1, end).filter { history.isRefused(exchanges[$0]) }
        return (id, uses.map { exchanges[$0].number })
    }
}
