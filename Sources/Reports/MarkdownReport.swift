import Basics

/// The report for a job's summary: what failed, a table of the checks, and the coverage.
struct MarkdownReport {
    /// The limit of rows in a table: GitHub refuses a summary beyond 1 MiB, and readers stop earlier.
    private static let rows = 200

    let report: Report

    var text: String {
        let sections = ([heading, findings] + stories + [checks, coverage, clients, closing]).filter { !$0.isEmpty }
        return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private var heading: [String] {
        let mark =
            switch report.verdict {
            case .held: "✅"
            case .failed: "❌"
            case .nothingChecked: "⚠️"
            }
        return [
            "## \(mark) backlot \(report.title)", "",
            MarkdownText.escaped(report.storyHeadline ?? report.headline) + ".",
        ]
    }

    private var stories: [[String]] { report.stories.map { MarkdownStory($0).lines } }

    /// Findings that no story's section contains.
    private var findingsApart: [Finding] {
        report.findings + report.checksApart.flatMap(\.findings)
    }

    private var findings: [String] {
        let all = findingsApart.heaviestFirst
        guard !all.isEmpty else { return [] }
        var lines = ["### Findings", ""]
        for finding in all.prefix(MarkdownReport.rows) {
            lines.append("- " + item(finding))
            let (places, omitted) = finding.shownRelated
            lines += places.map { related in
                "  - \(MarkdownText.code("\(related.place)")) \(MarkdownText.escaped(related.message))"
            }
            if omitted > 0 { lines.append("  - … and \(omitted) more places") }
        }
        return lines + more(all.count)
    }

    private func item(_ finding: Finding) -> String {
        var text = "**\(finding.severity.rawValue)** "
        if let place = finding.shownPlace { text += MarkdownText.code("\(place)") + " " }
        text += MarkdownText.escaped(finding.message)
        if let advice = finding.advice { text += "; " + MarkdownText.escaped(advice) }
        return text + " " + MarkdownText.code(finding.id)
    }

    private var checks: [String] {
        guard !report.checks.isEmpty else { return [] }
        let groups = report.tallies(of: report.checks)
        let rows = groups.prefix(MarkdownReport.rows).map { group, counts in
            let numbers = [Report.Outcome.passed, .failed, .skipped].map { "\(counts[$0] ?? 0)" }
            return "| \(MarkdownText.cell(group)) | \(numbers.joined(separator: " | ")) |"
        }
        return ["### Checks", "", "| of | passed | failed | skipped |", "| --- | --: | --: | --: |"] + rows
            + more(groups.count)
    }

    private var coverage: [String] {
        var lines: [String] = []
        for contract in report.coverageByContract {
            if !lines.isEmpty { lines.append("") }
            lines += [
                "### Coverage of \(MarkdownText.escaped(contract.contract))", "",
                MarkdownText.escaped(contract.sentence) + ".", "",
                "| operation | played | by example | missing |", "| --- | --- | --- | --- |",
            ]
            lines += contract.operations.prefix(MarkdownReport.rows).map { line in
                let cells = [line.played, line.shown, line.missing].map { $0.joined(separator: " ") }
                return ([line.operation] + cells).map { "| \(MarkdownText.cell($0)) " }.joined() + "|"
            }
            lines += more(contract.operations.count)
        }
        return lines
    }

    private var clients: [String] {
        var lines: [String] = []
        for table in report.clientTables {
            if !lines.isEmpty { lines.append("") }
            lines += [
                "### Results of \(MarkdownText.escaped(table.client)) with \(MarkdownText.escaped(table.contract))", "",
                MarkdownText.escaped(table.sentence) + ".", "",
                "| operation | outcomes |", "| --- | --- |",
            ]
            lines += table.operations.prefix(MarkdownReport.rows).map { line in
                "| \(MarkdownText.cell(line.operation)) | \(MarkdownText.cell(line.words)) |"
            }
            lines += more(table.operations.count)
        }
        return lines
    }

    private var closing: [String] {
        let lines = report.summary + [report.tally]
        return Array(lines.map(MarkdownText.escaped).map { [$0] }.joined(separator: [""]))
    }

    private func more(_ count: Int) -> [String] {
        count > MarkdownReport.rows ? ["", "… and \(count - MarkdownReport.rows) more."] : []
    }
}
