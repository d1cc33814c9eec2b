import HTTPWire
import ScenarioFormat
import Simulation

/// A refresh that follows an error which has nothing to do with the token.
package enum RefreshOnOtherError: Judgement {
    package static let profile = JudgementProfile(
        "B8",
        "refresh-on-other-error",
        reason: "every error of the server becomes a refresh, so an outage hits the token endpoint too",
        advice: "refresh only when the answer says that the token is not accepted",
        source: "RFC 9110, sections 15.5.4 and 15.6; RFC 6750, section 3.1"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        history.episodes.flatMap { episode in
            episode.refreshes.compactMap { refresh -> Offence? in
                guard let (exchange, token) = episode.pretext(of: refresh) else { return nil }
                return Offence(
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
    /// The error that a refresh answers to without need.
    fileprivate func pretext(of refresh: Exchange) -> (exchange: Exchange, token: Token)? {
        guard let held = access.newest(by: refresh.arrival),
            history.isGood(held.token, before: refresh.number, at: refresh.time),
            held.isYoung(at: refresh.time, in: roles)
        else { return nil }
        let recent = exchanges.filter { $0.number < refresh.number && $0.number > held.number }
        guard !exchanges.contains(where: { isUnresolved($0, before: refresh, held.token) }) else { return nil }
        let last = recent.last { exchange in
            exchange.brings(held.token.id) && isOtherError(exchange)
                && exchange.end.map { $0 <= refresh.arrival } ?? false
        }
        guard let last, let end = last.end, refresh.arrival.since(end) < .seconds(2) else { return nil }
        return (last, held.token)
    }

    /// Whether an answer says that something other than the token is wrong.
    private func isOtherError(_ exchange: Exchange) -> Bool {
        history.purpose(of: exchange) == .resource && history.wasReceived(exchange)
            && exchange.response.status.code >= 400 && !history.soundsRefused(exchange)
            && exchange.offered.contains { $0.isAccepted == true }
    }

    /// Whether a refusal is a reason to refresh: one of the held token, or one that nobody has made good since.
    private func isUnresolved(_ exchange: Exchange, before refresh: Exchange, _ token: Token) -> Bool {
        guard exchange.number < refresh.number, history.soundsRefused(exchange) else { return false }
        if exchange.brings(token.id) { return true }
        return !exchanges.contains {
            $0.number > exchange.number && $0.number < refresh.number && $0.isSameRequest(as: exchange)
        }
    }
}
