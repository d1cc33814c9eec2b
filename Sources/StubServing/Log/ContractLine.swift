import Basics
import Simulation

/// What the contract does not allow in an exchange, as one short line under the exchange's own.
struct ContractLine {
    let text: String

    /// `nil` when there is nothing to say; what is so on purpose, and what is only a note, is in the journal.
    init?(_ exchange: Exchange, paint: Paint) {
        let violations = exchange.violations.filter { violation in
            // That nobody knows the request, the exchange's own line says.
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
