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
        var count = 0
    }

    /// The number of windows from which ended windows are removed.
    private static let manyWindows = 10_000

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
        var window = rates[key] ?? RateWindow(start: context.now)
        if window.start + rate.limit.window <= context.now { window = RateWindow(start: context.now) }
        let isExceeded = window.count >= rate.limit.requests
        if !isExceeded { window.count += 1 }
        if rates.count >= Self.manyWindows, rates[key] == nil { forgetEndedWindows(at: context.now) }
        rates[key] = window
        let left = (window.start + rate.limit.window) - context.now
        let state = RateState(
            limit: rate.limit.requests,
            remaining: rate.limit.requests - window.count,
            reset: Int(clamping: (left.wholeMicroseconds + 999_999) / 1_000_000)
        )
        context.rate = state
        guard isExceeded else { return nil }
        context.answeredBy = "rate"
        return rate.exceeded.map { ChosenResponse($0) } ?? ChosenResponse(.rateExceeded(route.key, state))
    }

    private mutating func forgetEndedWindows(at time: VirtualTime) {
        let windows = Dictionary(
            played.script.routes.compactMap { route in route.rate.map { (route.id, $0.limit.window) } },
            uniquingKeysWith: { first, _ in first }
        )
        rates = rates.filter { key, window in windows[key.route].map { time < window.start + $0 } ?? false }
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
