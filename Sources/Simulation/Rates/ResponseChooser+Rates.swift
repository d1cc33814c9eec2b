import HTTPCodec
import JSON
import ScenarioFormat

/// Limits on the requests of a route in a window of time.
extension ResponseChooser {
    /// Counts a request of a route that limits them; returns the response if there are too many.
    mutating func count(on route: CompiledRoute, in context: inout ExchangeContext) -> ChosenResponse? {
        guard let rate = route.rate else { return nil }
        let owner: String? =
            switch rate.limit.scope {
            case .session: ""
            case .account: context.account
            case .device: context.device
            }
        let (state, isExceeded) = rates.count(route: route.id, owner: owner ?? "", rate.limit, at: context.now)
        context.rate = state
        guard isExceeded else { return nil }
        context.answeredBy = "rate"
        return rate.exceeded.map { ChosenResponse($0) } ?? ChosenResponse(.rateExceeded(route.key, state))
    }
}

extension Problem {
    /// The response to a request beyond the limit of a route that defines none (RFC 6585, section 4).
    fileprivate static func rateExceeded(_ route: String, _ rate: RateState) -> Problem {
        Problem(
            "rate-exceeded",
            status: 429,
            title: "Too many requests",
            detail: "\(route) allows \(rate.limit) requests per window, which ends in \(rate.reset) seconds.",
            fields: [("Retry-After", "\(rate.reset)")]
        )
    }
}
