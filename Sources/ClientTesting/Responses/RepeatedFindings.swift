import Basics

/// Combines the findings of several cells that have one cause.
struct RepeatedFindings: Sendable {
    private let plan: [ResponseCheckPlan.Cell]

    /// Fewer cells keep their findings.
    private static let leastCells = 3

    init(_ plan: [ResponseCheckPlan.Cell]) { self.plan = plan }

    /// - Parameter cells: the cells of the plan, in the same order.
    func combined(_ cells: [ResponseCheckCell]) -> [ResponseCheckCell] {
        var combined = withoutEqualFindings(cells)
        var shown: [Cause: [Int]] = [:]
        for (index, cell) in combined.enumerated() {
            for cause in Set(cell.findings.map { self.cause(of: $0, at: index) }) {
                shown[cause, default: []].append(index)
            }
        }
        for index in combined.indices {
            var cell = combined[index]
            cell.findings = cell.findings.compactMap { finding in
                let places = shown[cause(of: finding, at: index)] ?? []
                guard places.count >= Self.leastCells else { return finding }
                guard places[0] == index else {
                    cell.repeated.append(finding)
                    return nil
                }
                var first = finding
                let others = places.dropFirst().map { cells[$0].name }
                first.message += "; \(plural(others.count, "other call")) did the same: \(others.joined(upTo: 4))"
                return first
            }
            combined[index] = cell
        }
        return combined
    }

    /// A fault of an operation's request is reported once, not for every response, although its values may differ, such as
    /// a random boundary.
    private func withoutEqualFindings(_ cells: [ResponseCheckCell]) -> [ResponseCheckCell] {
        var told: Set<Finding> = []
        return cells.map { cell in
            var cell = cell
            let before = told
            cell.findings = cell.findings.filter { finding in
                guard told.insert(finding).inserted else { return false }
                // The part of the contract that the request violates.
                guard finding.id == ResponseCheckFault.request.rawValue, finding.place?.pointer != nil else {
                    return true
                }
                var violation = finding
                violation.message = ""
                told.insert(violation)
                return !before.contains(violation)
            }
            return cell
        }
    }

    /// The cause of a finding: the finding without the call that shows it.
    private struct Cause: Hashable {
        var id: String
        var severity: Finding.Severity
        var message: String
        var advice: String?
        /// The operation's call, for faults for which two operations may have different reasons.
        var call: String?
    }

    private func cause(of finding: Finding, at index: Int) -> Cause {
        let planned = plan[index]
        let message = finding.message.replacing(planned.answer.words, with: "").split(separator: " ")
            .filter { $0.trimmingPrefix("\"").prefix { !",:;\"".contains($0) } != planned.name }
        return Cause(
            id: finding.id,
            severity: finding.severity,
            message: message.joined(separator: " "),
            advice: finding.advice,
            call: isOfSession(finding, planned.answer) ? nil : planned.name
        )
    }

    /// Returns whether a finding is about what all operations share: the session, and the connection.
    private func isOfSession(_ finding: Finding, _ answer: ResponseCheckResponse) -> Bool {
        switch ResponseCheckFault(rawValue: finding.id) {
        case .tokensChanged, .sessionLost, .notReplayed, .wrongOperation: true
        case .wrongSuccess:
            if case .fault = answer.kind { true } else { false }
        // A client repeats all requests that are refused for now in one way.
        case .sentTwice: answer.kind == .refusal(429) || answer.kind == .refusal(503)
        // All requests get their credentials in one way.
        case .request: finding.place?.pointer?.hasSuffix("/security") == true
        default: false
        }
    }
}
