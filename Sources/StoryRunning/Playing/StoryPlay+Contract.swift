import Findings
import HTTPWire
import Judgements
import Simulation

/// What the contract does not allow in requests and replies.
///
/// A request is the client's, so it weighs what it weighs in the contract. A reply is the scenario's, and a client is
/// not failed for it: it is a warning here, and an error of `check`. What breaks the contract on purpose is none.
extension StoryPlay {
    var contractChecks: [StoryCheck] {
        let findings = contractFindings
        guard !findings.isEmpty else {
            return isHeldAgainstContract ? [StoryCheck(.held, id: "contract", "requests as the contract has them")] : []
        }
        return findings.grouped.map { id, findings in
            let isFailed = findings.contains { $0.severity == .error }
            let name = "\(id.split(separator: "/").last ?? "") as the contract has it"
            var check = StoryCheck(isFailed ? .failed : .held, id: id, name, findings)
            check.exchanges = findings.compactMap { $0.place?.exchange.map { UInt64(clamping: $0) } }
            return check
        }
    }

    private var contractFindings: [Finding] {
        var found: [(violation: Violation, exchange: Exchange, count: Int)] = []
        var numbers: [Violation: Int] = [:]
        for exchange in recording.evidence.exchanges {
            for violation in exchange.violations where !violation.isDeliberate {
                if let number = numbers[violation] {
                    found[number].count += 1
                } else {
                    numbers[violation] = found.count
                    found.append((violation, exchange, 1))
                }
            }
        }
        return found.map { finding($0, in: $1, count: $2) }
    }

    private func finding(_ violation: Violation, in exchange: Exchange, count: Int) -> Finding {
        let isReply = violation.side == .response
        let part = ([violation.part] + [violation.pointer].compactMap { $0 }.filter { !$0.isEmpty }).joined(
            separator: " "
        )
        let more = count > 1 ? " (\(count) times)" : ""
        var severity = violation.severity
        if isReply { severity = min(severity, .warning) }
        return Finding(
            severity,
            id: violation.id,
            "\(isReply ? "reply" : "request") \(part): \(violation.message)\(more)",
            at: Place(
                operation: exchange.route ?? "\(exchange.request.method) \(exchange.request.path)".printable.shortened,
                exchange: Int(clamping: exchange.number)
            ),
            advice: isReply && violation.severity == .error ? "mend the scenario: backlot check tells where" : nil,
            related: [RelatedPlace(Place(reading: violation.place), "the contract says so here")]
        )
    }
}

extension Place {
    /// Reads a place as it is printed: `file:line:column`, or a file alone, and after another colon an operation.
    init(reading text: String) {
        let end = text.utf8.indices.first { text.utf8[$0...].starts(with: ": ".utf8) }
        let file = end.map { text[..<$0] } ?? text[...]
        let operation = end.map { String(text[$0...].dropFirst(2)) }
        let parts = file.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 2, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1]) else {
            self.init(file: String(file), operation: operation)
            return
        }
        self.init(
            file: parts.dropLast(2).joined(separator: ":"),
            position: TextPosition(line: line, column: column),
            operation: operation
        )
    }
}
