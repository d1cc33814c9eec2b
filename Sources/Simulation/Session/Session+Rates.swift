import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Limits on the requests of a route in a window of time.
extension Session {
    /// A route, and the owner of the requests that are counted together.
    struct RateKey: Hashable, Sendable {
        var route: String
        /// The account or device; empty if all requests of the session are counted together.
        var owner: String
    }

    struct RateWindow: Sendable {
        var start: VirtualTime
        var end: VirtualTime
        var count = 0

        /// Returns whether a moment is in the window; the clock can be set to one before it.
        func contains(_ time: VirtualTime) -> Bool { start <= time && time < end }
    }

    /// The number of windows from which ended windows are removed.
    static let fewRates = 10_000

    /// Counts a request of a route that limits them; returns the response if there are too many.
    mutating func count(on route: CompiledRoute, in context: inout ExchangeContext) -> ChosenResponse? {
        guard let rate = route.rate else { return nil }
        let owner: String? =
            switch rate.limit.scope {
            case .session: ""
            case .account: context.account
            case .device: context.device
            }
        let key = RateKey(route: route.id, owner: owner ?? "")
        let known = rates[key]
        var window =
            known.flatMap { $0.contains(context.now) ? $0 : nil }
            ?? RateWindow(start: context.now, end: context.now + rate.limit.window)
        let isExceeded = window.count >= rate.limit.requests
        if !isExceeded { window.count += 1 }
        if known == nil, rates.count >= mostRates {
            rates = rates.filter { $0.value.contains(context.now) }
            // Twice as many as there are, so that the time for a request does not grow with their number.
            mostRates = max(Self.fewRates, 2 * rates.count)
        }
        rates[key] = window
        let left = window.end - context.now
        let state = RateState(
            limit: rate.limit.requests,
            remaining: rate.limit.requests - window.count,
            reset: Int(clamping: (left.wholeMicroseconds - 1) / 1_000_000 + 1)
        )
        context.rate = state
        guard isExceeded else { return nil }
        context.answeredBy = "rate"
        return rate.exceeded.map { ChosenResponse($0) } ?? ChosenResponse(.rateExceeded(route.key, state))
    }
}

/// The limit on a route's requests after one was counted.
struct RateState {
    var limit: Int
    /// The number of further requests in the window.
    var remaining: Int
    /// Seconds until the window ends, rounded up.
    var reset: Int

    func value(of aspect: Placeholder.RateAspect) -> JSONValue {
        switch aspect {
        case .limit: .number(JSONNumber(limit))
        case .remaining: .number(JSONNumber(remaining))
        case .reset: .number(JSONNumber(reset))
        }
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
