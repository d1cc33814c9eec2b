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
        var shown: [Finding: [Int]] = [:]
        for (index, cell) in combined.enumerated() {
            for finding in cell.findings { shown[cause(of: finding, at: index), default: []].append(index) }
        }
        for index in combined.indices {
            var cell = combined[index]
            cell.findings = cell.findings.compactMap { finding in
                let places = shown[cause(of: finding, at: index)] ?? []
                guard let first = places.first, places.count >= Self.leastCells else { return finding }
                guard first == index else {
                    if finding.severity == .error { cell.shownBy = name(of: first) }
                    return nil
                }
                var message = finding
                let others = places.dropFirst().map(name)
                message.message += "; \(plural(others.count, "other call")) did the same: \(others.joined(upTo: 4))"
                return message
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

    /// Returns the finding without the call that shows it.
    private func cause(of finding: Finding, at index: Int) -> Finding {
        var cause = finding
        cause.message = finding.message.replacing(plan[index].answer.words, with: "")
            .replacing(plan[index].name, with: "")
        cause.place = nil
        return cause
    }

    private func name(of index: Int) -> String { "\(plan[index].name) \(plan[index].answer.label)" }
}
