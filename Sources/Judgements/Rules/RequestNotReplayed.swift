import HTTPWire
import ScenarioFormat
import Simulation

/// The request that caused a refresh is not sent again, or not as it was, or once too often.
package enum RequestNotReplayed: Judgement {
    package static let profile = JudgementProfile(
        "B7",
        "request-not-replayed",
        reason: "what the user did is lost, or it is done twice",
        advice: "after a refresh send the refused request again exactly once, with its body",
        source: "RFC 6750, section 3.1; RFC 9110, section 9.2.2"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        history.episodes.flatMap { episode in
            episode.rescues.compactMap { rescue -> Offence? in
                guard let (sentence, exchanges) = episode.flaw(of: rescue) else { return nil }
                return Offence(sentence, exchanges: exchanges, device: episode.device)
            }
        }
    }
}

extension Episode {
    /// A request that was refused, and the refresh that was there to save it.
    fileprivate struct Rescue {
        /// Where it was refused.
        var place: Int
        var refresh: Exchange
        /// Where it was sent again first.
        var replay: Int?
    }

    /// A request of which enough is said.
    private struct Told: Hashable {
        var request: Int
        var body: [UInt8]
        var refresh: Int
    }

    fileprivate var rescues: [Rescue] {
        var told: Set<Told> = []
        return row.complaints.compactMap { place -> Rescue? in
            let refused = exchanges[place]
            // One that asks for a head alone carries nothing that could get lost.
            guard history.purpose(of: refused) == .resource, refused.request.method != .head, let end = refused.end,
                let saviour = row.refresh(for: place), !isSecond(place)
            else { return nil }
            let refresh = exchanges[saviour]
            guard history.result(of: refresh) == .renewed, refresh.breaks == nil,
                told.insert(
                    Told(request: row.requestNumber(place), body: refused.request.body, refresh: saviour)
                ).inserted
            else { return nil }
            // Where several refreshes were under way, another one may have served the request.
            let later = row.requests(like: place).between(place, .max)
            let first = later.first { later in
                exchanges[later].arrival >= end && !history.isSibling(exchanges[later], of: refused)
            }
            return Rescue(place: place, refresh: refresh, replay: first)
        }
    }

    /// Whether the request was refused before, and a refresh has not helped: whoever stops then is right.
    private func isSecond(_ place: Int) -> Bool {
        let refused = exchanges[place]
        let earlier = row.requests(like: place).between(-1, place).suffix(64).last { earlier in
            exchanges[earlier].end.map { $0 <= refused.arrival } ?? false
        }
        guard let earlier, row.isComplaint(earlier) else { return false }
        return !row.refreshes.between(earlier, place).isEmpty
    }

    fileprivate func flaw(of rescue: Rescue) -> (String, [UInt64])? {
        let (refused, refresh) = (exchanges[rescue.place], rescue.refresh)
        let request = refused.line
        let prefix = "exchange \(refused.number) \(request) was refused, exchange \(refresh.number) refreshed, and "
        guard let replay = rescue.replay else {
            guard hadTime(after: refresh), !isGivenUp(rescue) else { return nil }
            return (prefix + "the request was never sent again", [refused.number, refresh.number])
        }
        let first = exchanges[replay]
        if !refused.request.body.isEmpty, first.request.body.isEmpty, !isWhole(rescue, from: replay) {
            let words = "exchange \(first.number) sent the request again without its body"
            return (prefix + words, [first.number, refused.number, refresh.number])
        }
        if isChanged(rescue, from: replay) {
            let words = "exchange \(first.number) sent the request again with another body"
            return (prefix + words, [first.number, refused.number, refresh.number])
        }
        guard let copies = copies(of: rescue, from: replay) else { return nil }
        return (
            prefix + "\(Words.exchanges(copies.map(\.number))) sent it again \(Words.times(copies.count)), "
                + "though the first had succeeded",
            copies.map(\.number) + [refused.number, refresh.number]
        )
    }

    /// Whether the request came again with its body, if not at first.
    private func isWhole(_ rescue: Rescue, from replay: Int) -> Bool {
        let body = exchanges[rescue.place].request.body
        return row.requests(like: replay).between(replay, .max).contains { exchanges[$0].request.body == body }
    }

    /// Whether the request came again at once with another body, and never with its own.
    ///
    /// Nobody has written something new so soon; what asks a second later may be the user's next wish.
    private func isChanged(_ rescue: Rescue, from replay: Int) -> Bool {
        let (refused, first) = (exchanges[rescue.place], exchanges[replay])
        guard !refused.request.body.isEmpty, !first.request.body.isEmpty, first.request.body != refused.request.body,
            first.arrival.since(rescue.refresh.end ?? rescue.refresh.arrival) < .seconds(1)
        else { return false }
        let ledger = history.evidence.ledger
        let essence = RequestEssence(refused, ledger)
        return !row.requests(like: replay).between(replay - 1, .max).contains { later in
            RequestEssence(exchanges[later], ledger) == essence
        }
    }

    /// The replays of a request that must not be done twice, where there are more than were refused.
    private func copies(of rescue: Rescue, from replay: Int) -> [Exchange]? {
        let refused = exchanges[rescue.place]
        let body = refused.request.body
        guard ["POST", "PATCH"].contains(refused.request.method.rawValue), !body.isEmpty else { return nil }
        let all = row.requests(like: replay)
        let later = all[all.place(of: replay)...]
        guard let index = later.first(where: { exchanges[$0].request.body == body }), let end = exchanges[index].end,
            history.wasReceived(exchanges[index]), exchanges[index].response.status.isSuccessful
        else { return nil }
        let first = exchanges[index]
        let soon = all[all.place(of: index)...].prefix { exchanges[$0].arrival.since(end) < .seconds(2) }
        let copies = soon.map { exchanges[$0] }.filter { copy in
            copy.request.body == body && copy.response.status.isSuccessful && copy.time - first.time < .seconds(60)
        }
        guard copies.count > 1 else { return nil }
        let originals = all.between(-1, index).suffix(64).count { place in
            exchanges[place].request.body == body && row.isComplaint(place)
        }
        return copies.count > originals ? copies : nil
    }

    /// Whether the session ended before the request could be sent again.
    private func isGivenUp(_ rescue: Rescue) -> Bool {
        let end = rescue.refresh.end ?? rescue.refresh.arrival
        let farewell = farewell(since: exchanges[rescue.place].arrival)
        return farewell.map { $0.moment.since(end) < .seconds(1) } ?? false
    }
}

extension TokenHistory {
    /// Whether both brought the same dead token, so that neither is the other's replay.
    fileprivate func isSibling(_ one: Exchange, of other: Exchange) -> Bool {
        isRefused(one) && offered(.access, in: one)?.id == offered(.access, in: other)?.id
    }
}
