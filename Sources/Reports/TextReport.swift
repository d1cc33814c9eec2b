import Basics
import JSON

/// The text report: what failed, where, and how much of the contract is covered.
package struct TextReport: Sendable {
    /// The limit of operations without full coverage that are listed; a large contract would hide the findings.
    private static let listedOperations = 25
    /// The limits of what is named for each reason to skip checks: groups, and checks of each.
    private static let listedSkips = (groups: 3, checks: 12)

    private let report: Report
    private let paint: Paint

    package init(_ report: Report, isColoured: Bool = false) {
        self.report = report
        paint = Paint(isColoured: isColoured)
    }

    package var text: String {
        let sections = [[headline], blocks(), skipped, coverage, clients, closing].filter { !$0.isEmpty }
        return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private var headline: String {
        let colour: Paint.Colour =
            switch report.verdict {
            case .held: .green
            case .failed: .red
            case .nothingChecked: .yellow
            }
        return paint(colour, report.headline)
    }

    /// Every check that has something to say, those that failed first, with an empty line between two.
    private func blocks() -> [String] {
        var blocks: [(weight: Finding.Severity, lines: [String])] = []
        if !report.findings.isEmpty { blocks.append(block(nil, report.findings)) }
        for check in report.checks where !check.findings.isEmpty {
            blocks.append(block("\(check.group): \(check.name)", check.findings))
        }
        let ordered = blocks.enumerated().sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }
        return Array(ordered.map(\.element.lines).joined(separator: [""]))
    }

    private func block(_ heading: String?, _ findings: [Finding]) -> (weight: Finding.Severity, lines: [String]) {
        var lines: [String] = []
        if let heading { lines.append(paint(.bold, heading)) }
        for finding in findings.heaviestFirst {
            lines.append(line(finding))
            lines += finding.relatedLines.map { "  " + paint(.grey, $0) }
        }
        return (findings.map(\.severity).max() ?? .note, lines)
    }

    private func line(_ finding: Finding) -> String {
        var bare = finding
        bare.place = nil
        var place = finding.shownPlace
        if place?.file != nil { place?.operation = nil }
        let colour: Paint.Colour =
            switch finding.severity {
            case .error: .red
            case .warning: .yellow
            case .note: .grey
            }
        return (place.map { "\($0): ".printable } ?? "") + paint(colour, "\(bare)")
    }

    /// The skipped checks, a line for each reason.
    private var skipped: [String] {
        let skipped = report.checks.filter { $0.skipped != nil }
        let byReason = Dictionary(grouping: skipped) { $0.skipped ?? "" }
        return byReason.sorted { $0.key < $1.key }
            .map { reason, checks in
                let groups = checks.grouped(by: \.group).prefix(TextReport.listedSkips.groups)
                    .map { (name: $0.name, checks: $0.elements.prefix(TextReport.listedSkips.checks)) }
                let names = groups.map { "\($0.name): \($0.checks.map(\.name).joined(separator: ", "))" }
                let left = checks.count - groups.reduce(0) { $0 + $1.checks.count }
                let rest = left > 0 ? " and \(plural(left, "more check"))" : ""
                return paint(.bold, "skipped") + " (\(reason)): \(names.joined(separator: "; "))\(rest)".printable
            }
    }

    private var coverage: [String] {
        var lines: [String] = []
        for contract in report.coverageByContract {
            lines.append(paint(.bold, "\(contract.contract): \(contract.sentence)"))
            let incomplete = contract.operations.filter { !$0.missing.isEmpty }
            let listed = incomplete.prefix(TextReport.listedOperations)
            let width = listed.map(\.operation.unicodeScalars.count).max() ?? 0
            for operation in listed {
                let padding = String(repeating: " ", count: width - operation.operation.unicodeScalars.count)
                lines.append("  \(operation.operation.printable)\(padding)  \(operation.words.printable)")
            }
            if incomplete.count > listed.count {
                lines.append(
                    "  … and \(plural(incomplete.count - listed.count, "more operation")); "
                        + "a JSON report contains the complete list"
                )
            }
        }
        return lines
    }

    /// A line for each client, and what is wrong; the other formats have all.
    private var clients: [String] {
        var lines: [String] = []
        for table in report.clientTables {
            lines.append(paint(.bold, table.sentence.printable))
            let listed = table.operations.filter { report.listsClients || !$0.isSound }
            let most = report.listsClients ? listed.count : TextReport.listedOperations
            for operation in listed.prefix(most) {
                lines.append("  \(operation.operation.printable)  \(operation.words.printable)")
            }
            if listed.count > most {
                let rest = plural(listed.count - most, "more operation")
                lines.append("  … and \(rest); a JSON report contains the complete list")
            }
        }
        return lines
    }

    private var closing: [String] {
        report.summary.map(\.printable) + [report.tally.printable]
    }
}

extension Coverage {
    /// `plays 200, shows 404, lacks 500`.
    fileprivate var words: String {
        let parts = [("plays", played), ("shows", shown), ("lacks", missing)].filter { !$0.1.isEmpty }
        return parts.map { "\($0.0) \($0.1.joined(separator: " "))" }.joined(separator: ", ")
    }
}

extension [Finding] {
    /// Errors before warnings before notes; otherwise as they were found.
    var heaviestFirst: [Finding] {
        enumerated().sorted { ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset) }.map(\.element)
    }
}
