import Basics
import ScenarioFormat

/// The number of exchanges by route and status, where the timeline waits for some.
struct ExchangeCounts: Sendable {
    private var counts: [String: [Int: Int]] = [:]

    /// Counts an exchange, and returns the events that it sets off.
    mutating func note(_ route: CompiledRoute, _ status: Int) -> [CompiledRoute.Consequence] {
        counts[route.key, default: [:]][status, default: 0] += 1
        return route.consequences.filter { consequence in
            // Only the last of those that it waits for finds all the others there, and reaches its own number.
            let isLast = consequence.awaited.contains { awaited in
                awaited.route.exact == route.key.exact && awaited.status ?? status == status
                    && count(of: awaited) == awaited.count
            }
            return isLast && consequence.awaited.allSatisfy { count(of: $0) >= $0.count }
        }
    }

    private func count(of awaited: AwaitedExchange) -> Int {
        let counts = counts[awaited.route] ?? [:]
        return awaited.status.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)
    }
}
