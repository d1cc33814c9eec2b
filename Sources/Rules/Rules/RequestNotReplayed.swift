import HTTPCodec
import ScenarioFormat
import Simulation

/// The request that caused a refresh is not sent again, or not as it was, or once too often.
package enum RequestNotReplayed: Rule {
    package static let profile = RuleProfile(
        "B7",
        "request-not-replayed",
        reason: "what the user did is lost, or it is done twice",
        advice: "after a refresh send the refused request again exactly once, with its body",
        source: "RFC 6750, section 3.1; RFC 9110, section 9.2.2"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.flatMap { episode -> [RuleViolation] in
            let flaws = episode.renewed.compactMap { renewed in episode.flaw(of: renewed).map { (renewed, $0) } }
            guard !flaws.isEmpty else { return [] }
            // What something else took the place of is B22.
            let replaced = Recovery.all(in: episode.exchanges, of: history).flatMap(\.substitutions).map(\.lost.number)
            var violations = RepeatedViolations(repetition: "so it was with")
            for (renewed, flaw) in flaws {
                let refused = episode.exchanges[renewed.place].number
                guard renewed.replay != nil || !replaced.contains(refused) else { continue }
                violations.add(
                    "\(renewed.refresh.number) \(flaw.name)",
                    by: refused,
                    RuleViolation(flaw.sentence, exchanges: flaw.exchanges, device: episode.device)
                )
            }
            return violations.list
        }
    }
}

extension Episode {
    /// A request that was refused, and the refresh that was there to save it.
    fileprivate struct RenewedRequest {
        /// Where it was refused.
        var place: Int
        var refresh: Exchange
        /// Where it was sent again first.
        var replay: Int?
    }

    /// A request of which enough is said.
    private struct ReportedRequest: Hashable {
        var request: RequestEssence
        var refresh: Int
    }

    /// What went wrong with a request that was to be sent again.
    fileprivate struct Flaw {
        /// Distinguishes it from other kinds of flaws.
        var name: String
        var sentence: String
        var exchanges: [UInt64]
    }

    fileprivate var renewed: [RenewedRequest] {
        var told: Set<ReportedRequest> = []
        return row.complaints.compactMap { place -> RenewedRequest? in
            let refused = exchanges[place]
            // One that asks for a head alone carries nothing that could get lost.
            guard history.purpose(of: refused) == .resource, refused.request.method != .head, let end = refused.end,
                let saviour = row.refresh(for: place), !isSecond(place)
            else { return nil }
            let refresh = exchanges[saviour]
            guard history.result(of: refresh) == .renewed, refresh.breaks == nil, !isReplaced(place, before: refresh),
                told.insert(ReportedRequest(request: essence(place), refresh: saviour)).inserted
            else { return nil }
            // Where several refreshes were under way, another one may have served the request.
            let later = row.requests(like: place).between(place, .max)
            let first = later.first { later in
                exchanges[later].arrival >= end && !history.isSibling(exchanges[later], of: refused)
            }
            return RenewedRequest(
                place: place,
                refresh: refresh,
                replay: first ?? replayInOtherWords(of: place, after: end)
            )
        }
    }

    /// Whether the client has put another state in the same place before it could send this one again.
    private func isReplaced(_ place: Int, before refresh: Exchange) -> Bool {
        guard exchanges[place].placeOfState != nil, let end = refresh.end else { return false }
        let last = max(end, exchanges[place].end ?? end)
        return row.requests(like: place).between(place, .max).contains { later in
            exchanges[later].placeOfState != nil && exchanges[later].arrival < last
        }
    }

    private func essence(_ place: Int) -> RequestEssence {
        RequestEssence(exchanges[place], history.evidence.ledger)
    }

    /// Where a request came again with another query that is another one each time.
    private func replayInOtherWords(of place: Int, after end: RealTime) -> Int? {
        let refused = exchanges[place]
        guard refused.request.query != nil else { return nil }
        let essence = essence(place)
        let all = row.requests(onPathOf: place).suffix(64)
        let others = all.map { self.essence($0) }
        return zip(all, others).first { index, other in
            index > place && exchanges[index].arrival >= end && !history.isSibling(exchanges[index], of: refused)
                && essence.isSame(as: other, among: others)
        }?.0
    }

    /// Whether the request was refused before, and a refresh has not helped: a client that stops then is right.
    private func isSecond(_ place: Int) -> Bool {
        let refused = exchanges[place]
        let earlier = row.requests(like: place).between(-1, place).suffix(64).last { earlier in
            exchanges[earlier].end.map { $0 <= refused.arrival } ?? false
        }
        guard let earlier, row.isComplaint(earlier) else { return false }
        return !row.refreshes.between(earlier, place).isEmpty
    }

    fileprivate func flaw(of renewed: RenewedRequest) -> Flaw? {
        let (refused, refresh) = (exchanges[renewed.place], renewed.refresh)
        let request = refused.line
        let prefix = "exchange \(refused.number) \(request) was refused, exchange \(refresh.number) refreshed, and "
        guard let replay = renewed.replay else {
            guard hadTime(after: refresh), !hasCrashed, !isGivenUp(renewed), !isLeft(renewed) else { return nil }
            let words = prefix + "the request was never sent again"
            return Flaw(name: "lost", sentence: words, exchanges: [refused.number, refresh.number])
        }
        let first = exchanges[replay]
        let all = [first.number, refused.number, refresh.number]
        if !refused.request.body.isEmpty, first.request.body.isEmpty, !isWhole(renewed, from: replay) {
            let words = prefix + "exchange \(first.number) sent the request again without its body"
            return Flaw(name: "empty", sentence: words, exchanges: all)
        }
        if isChanged(renewed, from: replay) {
            let words = prefix + "exchange \(first.number) sent the request again with another body"
            return Flaw(name: "changed", sentence: words, exchanges: all)
        }
        guard let copies = copies(of: renewed, from: replay) else { return nil }
        return Flaw(
            name: "copied",
            sentence: prefix
                + "\(Sentences.exchanges(copies.map(\.number))) sent it again \(Sentences.times(copies.count)), "
                + "though the first had succeeded",
            exchanges: copies.map(\.number) + [refused.number, refresh.number]
        )
    }

    /// Whether the user may have left the screen while the tokens were renewed: nothing of it came again, it was only
    /// to be read, and the client went on with something else.
    private func isLeft(_ renewed: RenewedRequest) -> Bool {
        let refused = exchanges[renewed.place]
        guard refused.request.method == .get, let end = renewed.refresh.end else { return false }
        let siblings = row.complaints[..<row.complaints.place(of: row.place(of: renewed.refresh.number))].suffix(64)
            .filter {
                exchanges[$0].time <= renewed.refresh.time
                    && row.refresh(for: $0) == row.place(of: renewed.refresh.number)
            }
        // What is asked for again and again belongs to no screen.
        let names = Set(siblings.filter { !isPolled($0) }.map(row.requestNumber))
        var goesOn = false
        for place in exchanges.indices.dropFirst(renewed.place) where exchanges[place].arrival >= end {
            guard history.purpose(of: exchanges[place]) == .resource else { continue }
            if names.contains(row.requestNumber(place)) { return false }
            // What the screen had loaded already shows no other one.
            let before = row.requests(like: place).last { $0 < renewed.place }
            if let before, refused.arrival.since(exchanges[before].arrival) <= TimeLimit.screen.value { continue }
            goesOn = true
            // What comes later is about other screens.
            if exchanges[place].arrival.since(end) > TimeLimit.screen.value { break }
        }
        return goesOn
    }

    /// Whether the request had succeeded several times before, as one that a timer sends.
    private func isPolled(_ place: Int) -> Bool {
        row.requests(like: place).between(-1, place).suffix(64).count { exchanges[$0].hasSucceeded } >= 2
    }

    /// Whether the request came again with its body, if not at first.
    private func isWhole(_ renewed: RenewedRequest, from replay: Int) -> Bool {
        let body = exchanges[renewed.place].request.body
        return row.requests(like: replay).between(replay, .max).contains { place in
            exchanges[place].request.body == body || essence(place) == essence(renewed.place)
        }
    }

    /// Whether the request came again at once with another body, and never with its own.
    private func isChanged(_ renewed: RenewedRequest, from replay: Int) -> Bool {
        let (refused, first) = (exchanges[renewed.place], exchanges[replay])
        guard !refused.request.body.isEmpty, !first.request.body.isEmpty, first.request.body != refused.request.body,
            first.arrival.since(renewed.refresh.end ?? renewed.refresh.arrival) < TimeLimit.rewritten.value
        else { return false }
        let own = essence(renewed.place)
        let all = row.requests(onPathOf: renewed.place).suffix(64).map { essence($0) }
        return !row.requests(like: replay).between(replay - 1, .max).contains {
            own.isSame(as: essence($0), among: all)
        }
    }

    /// The replays of a request that must not be done twice, where there are more than were refused.
    private func copies(of renewed: RenewedRequest, from replay: Int) -> [Exchange]? {
        let refused = exchanges[renewed.place]
        guard ["POST", "PATCH"].contains(refused.request.method.rawValue), !refused.request.body.isEmpty else {
            return nil
        }
        let own = essence(renewed.place)
        let all = row.requests(like: replay)
        let later = all[all.place(of: replay)...]
        guard let index = later.first(where: { essence($0) == own }), let end = exchanges[index].end,
            history.wasReceived(exchanges[index]), exchanges[index].response.status.isSuccessful
        else { return nil }
        let first = exchanges[index]
        let soon = all[all.place(of: index)...].prefix { exchanges[$0].arrival.since(end) < TimeLimit.tap.value }
        let copies = soon.filter { place in
            exchanges[place].response.status.isSuccessful
                && exchanges[place].time - first.time < TimeLimit.copies.value && essence(place) == own
        }.map { exchanges[$0] }
        guard copies.count > 1 else { return nil }
        let originals = all.between(-1, index).suffix(64).count { row.isComplaint($0) && essence($0) == own }
        return copies.count > originals ? copies : nil
    }

    /// Whether the session ended before the request could be sent again.
    private func isGivenUp(_ renewed: RenewedRequest) -> Bool {
        let end = renewed.refresh.end ?? renewed.refresh.arrival
        if let signOut = signOut(since: exchanges[renewed.place].arrival) {
            return signOut.moment.since(end) < TimeLimit.sameSignOut.value
        }
        return isRefusedAgain(renewed)
    }

    /// Whether another request was refused with new tokens when it was sent again, and the client sent nothing after the
    /// next refresh: it may take its session for over then.
    private func isRefusedAgain(_ renewed: RenewedRequest) -> Bool {
        guard let end = renewed.refresh.end else { return false }
        let token = history.offered(.access, in: exchanges[renewed.place])?.id
        let isSeen = row.complaints.contains { place in
            exchanges[place].arrival < end && history.offered(.access, in: exchanges[place])?.id == token
                && isSecond(place)
        }
        return isSeen && !exchanges.contains { $0.arrival >= end && history.purpose(of: $0) == .resource }
    }
}

extension TokenHistory {
    /// Whether both brought the same invalid token, so that neither is the other's replay.
    fileprivate func isSibling(_ one: Exchange, of other: Exchange) -> Bool {
        isRefused(one) && offered(.access, in: one)?.id == offered(.access, in: other)?.id
    }
}
