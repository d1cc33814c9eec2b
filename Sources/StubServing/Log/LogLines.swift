import Basics
import HTTPCodec
import HTTPServing
import ScenarioFormat
import Simulation
import TLS

/// One opening of a gate as one line: virtual time, gate, what it waited for and what came.
struct GateLine {
    let text: String

    init(_ opening: GateOpening, session: String, paint: Paint) {
        var columns = [paint(.grey, ExchangeLine.stamp(opening.time))]
        if session != Session.defaultName { columns.append(paint(.grey, session)) }
        let name = opening.gate.printable
        let gate = name.hasPrefix("gate ") ? name : "gate \(name)"
        columns.append(paint(opening.cause == .quiet ? .yellow : .cyan, "\(gate) \(opening.sentence)"))
        text = columns.joined(separator: "  ")
    }
}

/// The contract violations of an exchange, as one short line below the exchange's line.
struct ContractLine {
    let text: String

    /// `nil` when there is nothing to say; what is so on purpose, and what is only a note, is in the journal.
    init?(_ exchange: Exchange, paint: Paint) {
        let violations = exchange.violations.filter { violation in
            // The exchange's own line says that the request is unknown.
            !violation.isDeliberate && violation.severity > .note
                && (violation.part != "operation" || exchange.route != nil)
        }
        guard let first = violations.first(where: { $0.severity == .error }) ?? violations.first else { return nil }
        let place = first.pointer.map { $0.isEmpty ? "" : " \($0)" } ?? ""
        var line = "\(first.side.rawValue) \(first.part)\(place): \(first.message)"
        if line.utf8.count > 300 { line = "\(line.prefix(300))…" }
        if violations.count > 1 { line += " (and \(violations.count - 1) more)" }
        text = "  contract: " + paint(first.severity, line)
    }
}
