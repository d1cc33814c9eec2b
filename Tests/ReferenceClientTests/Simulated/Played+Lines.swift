import HTTPWire
import ScenarioFormat
import Simulation

extension Played {
    /// The exchanges for people, one a line: when, what, with which tokens, and what came of it.
    var lines: String {
        session.journal.exchanges.map { exchange in
            let arrival = exchange.arrival.nanoseconds / 1_000 - 1_000_000
            let end = exchange.end.map { "\($0.nanoseconds / 1_000 - 1_000_000)" } ?? "open"
            let tokens = exchange.offered.map { "\($0.id ?? "?") \($0.standing.rawValue)" }.joined(separator: ", ")
            let granted = exchange.granted.compactMap(\.id).joined(separator: ", ")
            let fault = exchange.fault.map { " \($0.rawValue)" } ?? ""
            return """
                #\(exchange.number) L\(exchange.launch) \(arrival)…\(end) µs \(exchange.request.method) \
                \(exchange.request.target) [\(tokens)] → \(exchange.response.status.code)\(fault) \(granted)
                """
        }
        .joined(separator: "\n")
            + session.clientStatements.map { "\n\($0.fact) = \($0.value) after #\($0.afterExchange)" }.joined()
    }
}
