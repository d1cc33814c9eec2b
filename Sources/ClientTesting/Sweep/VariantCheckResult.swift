package import Basics
import JSONSchema
package import Reports

/// What came of a client in a sweep.
package struct VariantCheckResult: Sendable {
    /// What people call the client.
    package var client: String
    /// The contract's path.
    package var contract: String
    /// In the order of the contract.
    package var answers: [VariantCheckedResponse]
    /// What the client does not read as the contract would have it, as sentences with the reasons.
    package var drops: [String] = []
    /// In real time.
    package var duration: Duration

    package var findings: [Finding] { answers.flatMap(\.findings) }
    /// How many calls were made with variants, those of shrinking not counted.
    package var calls: Int { answers.reduce(0) { $0 + $1.legal + $1.evolution + $1.illegal } }
}

/// One documented answer of an operation, and what the client made of its variants.
package struct VariantCheckedResponse: Sendable {
    /// The operation's id.
    package var operation: String
    /// The operation's method and path.
    package var label: String
    package var status: Int
    /// How many variants were served, by kind.
    package var legal = 0
    package var evolution = 0
    package var illegal = 0
    /// How many variants of each kind came to what: `value` or the name of what was thrown, in the order of coming.
    package var outcomes: [(outcome: String, count: Int)] = []
    /// Why nothing was served.
    package var skipped: String?
    package var findings: [Finding] = []
    /// Where the contract documents the answer.
    package var place: Place

    mutating func note(_ made: CallOutcome, _ kind: SchemaVariant.Kind) {
        switch kind {
        case .legal: legal += 1
        case .evolution: evolution += 1
        case .illegal: illegal += 1
        }
        let outcome = "\(made)"
        if let index = outcomes.firstIndex(where: { $0.outcome == outcome }) {
            outcomes[index].count += 1
        } else {
            outcomes.append((outcome, 1))
        }
    }
}

extension VariantCheckResult: CustomStringConvertible {
    /// Every finding on a line of its own, and how much was tried.
    package var description: String {
        let lines = findings.map(\.description) + ["\(client): \(findings.count) findings in \(calls) calls"]
        return lines.joined(separator: "\n")
    }
}

extension VariantCheckResult {
    /// The result as reports want it: a check for each documented answer.
    package var report: Report {
        var report = Report(title: "test", findings: [])
        report.checks = answers.map { answer in
            Report.Check(
                group: client,
                name: "\(answer.operation) \(answer.status), swept",
                findings: answer.findings,
                skipped: answer.skipped,
                place: answer.place
            )
        }
        report.summary =
            drops.map { "\(client): \($0)" } + [
                "\(client): \(counted(calls, "variant")) of \(counted(answers.count, "answer"))"
            ]
        return report
    }

    private func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}
