import Basics
import HTTPCodec
import Rules
import ScenarioFormat
import Simulation

extension Evidence {
    /// The exchanges for people, one a line: when, what, with which tokens, and what came of it.
    var lines: String {
        exchanges.map { exchange in
            let arrival = microseconds(exchange.arrival)
            let end = exchange.end.map { "\(microseconds($0))" } ?? "open"
            let lag = exchange.lag >= .milliseconds(1) ? " late \(DurationText.text(exchange.lag))" : ""
            let tokens = exchange.offered.map { "\($0.id ?? "?") \($0.standing.rawValue)" }.joined(separator: ", ")
            let granted = exchange.granted.compactMap(\.id).joined(separator: ", ")
            let fault = exchange.fault.map { " \($0.rawValue)" } ?? ""
            return """
                #\(exchange.number) L\(exchange.launch) C\(exchange.connection) \(arrival)…\(end) µs\(lag) \
                \(exchange.request.method) \(exchange.request.target) [\(tokens)] → \
                \(exchange.response.status.code)\(fault) \(granted)
                """
        }
        .joined(separator: "\n")
            + statements.map {
                "\n\($0.fact) = \($0.value) after #\($0.afterExchange) at \(microseconds($0.moment)) µs"
            }
            .joined()
    }

    /// Since the first request.
    private func microseconds(_ time: MonotonicTime) -> Int64 {
        (Int64(clamping: time.nanoseconds) - Int64(clamping: epoch.nanoseconds)) / 1_000
    }
}
