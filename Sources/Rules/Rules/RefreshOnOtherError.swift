import HTTPCodec
import ScenarioFormat
import Simulation

/// A refresh that follows an error which has nothing to do with the token.
package enum RefreshOnOtherError: Rule {
    package static let profile = RuleProfile(
        "B8",
        "refresh-on-other-error",
        reason: "every error of the server becomes a refresh, so an outage hits the token endpoint too",
        advice: "refresh only when the response says that the token is not accepted",
        source: "RFC 9110, sections 15.5.4 and 15.6; RFC 6750, section 3.1"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.flatMap { episode in
            episode.refreshes.compactMap { refresh -> RuleViolation? in
                guard let (exchange, token) = episode.pretext(of: refresh) else { return nil }
                return RuleViolation(
                    "exchange \(refresh.number) refreshed because exchange \(exchange.number) was answered "
                        + "\(exchange.response.status.code), though \(token.id) was good and had been accepted",
                    exchanges: [refresh.number, exchange.number],
                    device: episode.device
                )
            }
        }
    }
}

extension Episode {
    /// The error after which the client refreshes without need.
    fileprivate func pretext(of refresh: Exchange) -> (exchange: Exchange, token: Token)? {
        guard let held = access.newest(by: refresh.arrival),
            history.isGood(held.token, before: refresh.number, at: refresh.time),
            held.isYoung(at: refresh.time, in: roles)
        else { return nil }
        let place = row.place(of: refresh.number)
        let uses = row.uses(of: held.token.id).between(row.place(of: held.number + 1) - 1, place)
        let last = uses.suffix(Self.memory).last { use in
            isOtherError(exchanges[use]) && exchanges[use].end.map { $0 <= refresh.arrival } ?? false
        }.map { exchanges[$0] }
        guard let last, let end = last.end, refresh.arrival.since(end) < TimeLimit.ownRefresh.value,
            !uses.contains(where: row.isComplaint), !hasUnresolved(before: place)
        else { return nil }
        return (last, held.token)
    }

    /// Whether a response says that something other than the token is wrong.
    private func isOtherError(_ exchange: Exchange) -> Bool {
        history.purpose(of: exchange) == .resource && history.wasReceived(exchange)
            && exchange.response.status.code >= 400 && !history.soundsRefused(exchange)
            && exchange.offered.contains { $0.isAccepted == true }
    }

    /// Whether one of the last refusals is a reason to refresh, because no request has tried again since.
    private func hasUnresolved(before refresh: Int) -> Bool {
        row.complaints[..<row.complaints.place(of: refresh)].suffix(Self.memory).contains { complaint in
            row.requests(like: complaint).between(complaint, refresh).isEmpty
        }
    }

    /// The number of exchanges that are searched for a reason.
    private static let memory = 64
}
