import HTTPCodec
import ScenarioFormat
import Simulation

/// The client computes a token's end with the device's clock, which is wrong.
package enum RefreshByDeviceClock: Rule {
    package static let profile = RuleProfile(
        "B11",
        "refresh-by-device-clock",
        reason: "on a phone whose clock is wrong, the app refreshes before every request or never in time",
        advice: "reckon with the time that has passed since the token was asked for, or with the server's Date",
        source: "RFC 6749, section 5.1; RFC 9110, section 6.6.1"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.compactMap { episode -> RuleViolation? in
            let needless = episode.needless
            guard let first = needless.first else { return nil }
            let left = DurationText.text(.seconds((first.token.expires - first.refresh.time).components.seconds))
            let isOne = needless.count == 1
            return RuleViolation(
                "\(Sentences.exchanges(needless.map(\.refresh.number))) refreshed with nothing refused"
                    + "\(isOne ? ", though" : "; at the first of them") \(first.token.id) was good for another \(left)",
                exchanges: needless.map(\.refresh.number),
                device: episode.device
            )
        }
    }
}

extension Episode {
    /// The refreshes that replaced a young and working token for no reason, with that token.
    fileprivate var needless: [(refresh: Exchange, token: Token)] {
        refreshes.compactMap { refresh in
            // A client that refreshes on purpose, for new claims, has no wrong clock.
            guard hasWrongClock(at: refresh), history.result(of: refresh) != .passing,
                let held = access.newest(by: refresh.arrival),
                let source = held.source, source.launch == launch,
                history.isGood(held.token, before: refresh.number, at: refresh.time),
                held.isYoung(at: refresh.time, in: roles),
                held.token.expires - refresh.time > TimeLimit.foresight.value,
                isContent(with: held.token, since: source, before: refresh)
            else { return nil }
            return (refresh, held.token)
        }
    }

    /// Whether nothing that the token was used for gave a reason to renew it.
    private func isContent(with token: Token, since source: Exchange, before refresh: Exchange) -> Bool {
        let (first, last) = (row.place(of: source.number), row.place(of: refresh.number))
        let all = row.uses(of: token.id).between(-1, last)
        let uses = Array(all).between(first, last)
        guard uses.allSatisfy({ exchanges[$0].response.status.code < 400 }) else { return false }
        guard !all.contains(where: row.isComplaint) else { return false }
        let served = Set(uses.map(row.requestNumber))
        return row.complaints.between(first, last).allSatisfy { served.contains(row.requestNumber($0)) }
    }
}
