import JSON
import ScenarioFormat

/// The windows of time in which the requests of routes are counted.
struct RateWindows: Sendable {
    /// A route, and the owner of the requests that are counted together.
    private struct Key: Hashable {
        var route: String
        /// The account or device; empty if all requests of the session are counted together.
        var owner: String
    }

    private struct Window {
        var start: VirtualTime
        var end: VirtualTime
        var count = 0

        /// Returns whether a moment is in the window; the clock can be set to one before it.
        func contains(_ time: VirtualTime) -> Bool { start <= time && time < end }
    }

    /// The number of windows from which ended windows are removed.
    private static let fewest = 10_000

    private var windows: [Key: Window] = [:]
    /// The number of windows at which ended windows are removed.
    private var most = Self.fewest

    /// Counts a request of a route.
    ///
    /// - Returns: the state of the limit, and whether the request exceeds the limit.
    mutating func count(
        route: String,
        owner: String,
        _ limit: RateLimit,
        at time: VirtualTime
    ) -> (state: RateState, isExceeded: Bool) {
        let key = Key(route: route, owner: owner)
        let known = windows[key]
        var window =
            known.flatMap { $0.contains(time) ? $0 : nil } ?? Window(start: time, end: time + limit.window)
        let isExceeded = window.count >= limit.requests
        if !isExceeded { window.count += 1 }
        if known == nil, windows.count >= most {
            windows = windows.filter { $0.value.contains(time) }
            // Twice as many as there are, so that the time for a request does not grow with their number.
            most = max(Self.fewest, 2 * windows.count)
        }
        windows[key] = window
        let left = window.end - time
        let state = RateState(
            limit: limit.requests,
            remaining: limit.requests - window.count,
            reset: Int(clamping: (left.wholeMicroseconds - 1) / 1_000_000 + 1)
        )
        return (state, isExceeded)
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
