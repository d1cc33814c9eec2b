package import Basics
import HTTPCodec
import Simulation

extension Recording {
    /// The contract violations in requests and responses, each once with the first exchange that has it.
    package var contractFindings: [Finding] {
        var found: [(violation: Violation, exchange: Exchange, count: Int)] = []
        var numbers: [Violation: Int] = [:]
        for exchange in evidence.exchanges {
            for violation in exchange.violations where !violation.isDeliberate {
                if let number = numbers[violation] {
                    found[number].count += 1
                } else {
                    numbers[violation] = found.count
                    found.append((violation, exchange, 1))
                }
            }
        }
        return found.map(finding)
    }

    private func finding(_ violation: Violation, _ exchange: Exchange, _ count: Int) -> Finding {
        let isResponse = violation.side == .response
        var part = violation.part
        if let pointer = violation.pointer, !pointer.isEmpty { part += " \(pointer)" }
        let more = count > 1 ? " (\(count) times)" : ""
        return Finding(
            // A response of a scenario is not the client's fault; of a captured server, it is the server's.
            isResponse && !isCaptured ? min(violation.severity, .warning) : violation.severity,
            id: violation.id,
            "\(isResponse ? "response" : "request") \(part): \(violation.message)\(more)",
            at: Self.place(of: violation, exchange),
            related: [RelatedPlace(Place(reading: violation.place), "this is the requirement in the contract")]
        )
    }

    /// The line of the fixture or the scenario that a response came from, the route and the exchange.
    private static func place(of violation: Violation, _ exchange: Exchange) -> Place {
        var place = violation.source.map { Place(reading: $0) } ?? Place()
        place.operation = exchange.route ?? "\(exchange.request.method) \(exchange.request.path)".printable.shortened
        place.exchange = Int(clamping: exchange.number)
        return place
    }
}
