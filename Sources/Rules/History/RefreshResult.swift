import HTTPCodec
import ScenarioFormat
import Simulation

/// What a refresh has come to, as its client could know.
enum RefreshResult: Hashable {
    /// New tokens have arrived.
    case renewed
    /// The server has done it, and its answer was lost.
    case lost
    /// The answer ends the session for good.
    case terminal
    /// It failed, and may succeed the next time.
    case passing
    /// Nothing of all that: it is still under way, or it was answered without new tokens.
    case other
}

extension TokenHistory {
    func result(of refresh: Exchange) -> RefreshResult {
        let hasGranted = refresh.handsOutNewTokens
        guard wasReceived(refresh) else {
            if refresh.outcome == .open { return .other }
            return refresh.isCommitted && hasGranted ? .lost : .passing
        }
        if hasGranted { return .renewed }
        if refresh.response.status.isSuccessful { return .other }
        return isTerminal(refresh) ? .terminal : .passing
    }

    /// Whether the scenario says that such an answer ends the session; where it says nothing, a refused token does.
    private func isTerminal(_ refresh: Exchange) -> Bool {
        let judged = refresh.offered.filter { $0.isAccepted != nil && roles.role(of: $0.wanted) == .refresh }
        let statuses = judged.flatMap { roles.kind(named: $0.wanted)?.terminal ?? [] }
        return statuses.isEmpty
            ? judged.contains { $0.isAccepted == false } : statuses.contains(refresh.response.status.code)
    }

    /// Whether an answer sounds as if the access token were to blame, right or wrong.
    func soundsRefused(_ exchange: Exchange) -> Bool {
        guard wasReceived(exchange), exchange.origin == nil else { return false }
        switch purpose(of: exchange) {
        case .refresh, .signIn: return false
        case .resource, .signOut, .open:
            if hasRefusedToken(exchange) { return true }
            let status = exchange.response.status.code
            let kinds = exchange.offered.compactMap { roles.kind(named: $0.wanted) }
            return status == 401 || kinds.contains { $0.refusals.contains(status) && status >= 400 }
        }
    }
}
