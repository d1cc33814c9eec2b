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
        var refused: Exchange
        var refresh: Exchange
        /// What was sent to the same place afterwards.
        var replays: [Exchange]
    }

    fileprivate var rescues: [Rescue] {
        let refreshes = self.refreshes
        var seen: [(exchange: Exchange, refresh: UInt64)] = []
        return exchanges.compactMap { refused -> Rescue? in
            guard history.purpose(of: refused) == .resource, history.soundsRefused(refused), let end = refused.end,
                let refresh = refreshes.first(where: {
                    $0.number > refused.number || history.wereTogether($0, refused)
                }),
                history.result(of: refresh) == .renewed, refresh.breaks == nil
            else { return nil }
            // Whoever was refused again after a refresh stops there.
            let isSecond = exchanges.contains { exchange in
                exchange.number < refused.number && exchange.isSameRequest(as: refused)
                    && history.soundsRefused(exchange)
                    && refreshes.contains { $0.number > exchange.number && $0.number < refused.number }
            }
            guard !isSecond else { return nil }
            let isToldAlready = seen.contains { known in
                known.refresh == refresh.number && known.exchange.isSameRequest(as: refused)
                    && known.exchange.request.body == refused.request.body
            }
            guard !isToldAlready else { return nil }
            seen.append((refused, refresh.number))
            // Where several refreshes were under way, another one may have served the request.
            let replays = exchanges.filter { exchange in
                exchange.number > refused.number && exchange.arrival >= end && exchange.isSameRequest(as: refused)
                    && !history.isSibling(exchange, of: refused)
            }
            return Rescue(refused: refused, refresh: refresh, replays: replays)
        }
    }

    fileprivate func flaw(of rescue: Rescue) -> (String, [UInt64])? {
        let (refused, refresh, replays) = (rescue.refused, rescue.refresh, rescue.replays)
        let request = refused.words
        let prefix = "exchange \(refused.number) \(request) was refused, exchange \(refresh.number) refreshed, and "
        guard let first = replays.first else {
            guard hadTime(after: refresh), !isGivenUp(rescue) else { return nil }
            return (prefix + "the request was never sent again", [refused.number, refresh.number])
        }
        let body = refused.request.body
        if !body.isEmpty, first.request.body.isEmpty, !replays.contains(where: { $0.request.body == body }) {
            let words = "exchange \(first.number) sent the request again without its body"
            return (prefix + words, [first.number, refused.number, refresh.number])
        }
        guard let copies = copies(of: rescue) else { return nil }
        return (
            prefix + "\(Words.exchanges(copies.map(\.number))) sent it again \(Words.times(copies.count)), "
                + "though the first had succeeded",
            copies.map(\.number) + [refused.number, refresh.number]
        )
    }

    /// The replays of a request that must not be done twice, where there are more than were refused.
    private func copies(of rescue: Rescue) -> [Exchange]? {
        let body = rescue.refused.request.body
        guard ["POST", "PATCH"].contains(rescue.refused.request.method.rawValue), !body.isEmpty else { return nil }
        let same = rescue.replays.filter { $0.request.body == body }
        guard let first = same.first, let end = first.end, history.wasReceived(first),
            first.response.status.isSuccessful
        else { return nil }
        let originals = exchanges.count { exchange in
            exchange.number < first.number && exchange.isSameRequest(as: rescue.refused)
                && exchange.request.body == body && history.soundsRefused(exchange)
        }
        let copies = same.filter { copy in
            guard copy.response.status.isSuccessful else { return false }
            return copy.arrival.since(end) < .seconds(2) && copy.time - first.time < .seconds(60)
        }
        return copies.count > originals ? copies : nil
    }

    /// Whether the session ended before the request could be sent again.
    private func isGivenUp(_ rescue: Rescue) -> Bool {
        let end = rescue.refresh.end ?? rescue.refresh.arrival
        return farewells.contains { $0.moment >= rescue.refused.arrival && $0.moment.since(end) < .seconds(1) }
    }
}

extension TokenHistory {
    /// Whether both brought the same dead token, so that neither is the other's replay.
    fileprivate func isSibling(_ one: Exchange, of other: Exchange) -> Bool {
        isRefused(one) && offered(.access, in: one)?.id == offered(.access, in: other)?.id
    }
}
