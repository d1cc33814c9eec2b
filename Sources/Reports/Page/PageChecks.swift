import Basics

/// The results other than stories: findings, a table of the checks, and the coverage.
struct PageChecks {
    let report: Report
    /// The checks that no story shows already.
    private let checks: [Report.Check]

    init(_ report: Report) {
        self.report = report
        checks = report.checksApart
    }

    func append(to page: inout String) {
        appendFindings(to: &page)
        appendChecks(to: &page)
        appendCoverage(to: &page)
        appendClients(to: &page)
    }

    private func appendFindings(to page: inout String) {
        var all: [(finding: Finding, check: Report.Check?)] = report.findings.map { ($0, nil) }
        for check in checks { all += check.findings.map { ($0, check) } }
        guard !all.isEmpty else { return }
        all = all.enumerated().sorted {
            ($1.element.finding.severity, $0.offset) < ($0.element.finding.severity, $1.offset)
        }.map(\.element)
        page += "<section class=\"card\">\n<h2>Findings</h2>\n<ol class=\"findings\">\n"
        for (finding, check) in all.prefix(PageReport.listed) {
            let severity = finding.severity.rawValue
            page += "<li class=\"\(severity)\">\n<p class=\"head\"><span class=\"\(severity)\">\(severity)</span> "
            page += "\(HTMLText.escaped(finding.id))"
            if let check { page += " <span class=\"dim\">\(HTMLText.escaped("\(check.group): \(check.name)"))</span>" }
            page += "</p>\n"
            PageItem.append(finding, to: &page)
            page += "</li>\n"
        }
        page += "</ol>\n"
        appendRest(all.count, to: &page)
        page += "</section>\n"
    }

    private func appendChecks(to page: inout String) {
        guard !checks.isEmpty else { return }
        let groups = report.tallies(of: checks)
        page += "<section class=\"card\">\n<h2>Checks</h2>\n<table>\n<tr><th>of</th><th class=\"n\">passed</th>"
        page += "<th class=\"n\">failed</th><th class=\"n\">skipped</th></tr>\n"
        for (group, counts) in groups.prefix(PageReport.listed) {
            page += "<tr><td>\(HTMLText.escaped(group))</td>"
            for (outcome, word) in [(Report.Outcome.passed, ""), (.failed, " error"), (.skipped, "")] {
                let count = counts[outcome] ?? 0
                page += "<td class=\"n\(count > 0 ? word : " dim")\">\(count)</td>"
            }
            page += "</tr>\n"
        }
        page += "</table>\n"
        appendRest(groups.count, to: &page)
        page += "</section>\n"
    }

    private func appendCoverage(to page: inout String) {
        for contract in report.coverageByContract {
            page += "<section class=\"card\">\n<h2>Coverage of \(HTMLText.escaped(contract.contract))</h2>\n"
            page +=
                "<p>\(HTMLText.escaped(contract.sentence)).</p>\n<table>\n<tr><th>operation</th><th>responses</th></tr>\n"
            for line in contract.operations.prefix(PageReport.listed) {
                page += "<tr><td>\(HTMLText.escaped(line.operation))</td><td>"
                for answer in line.answers {
                    let word = answer.basis == .nothing ? "missing" : "covered"
                    page +=
                        "<span class=\"answer \(word)\" title=\"\(answer.basis.words)\">\(HTMLText.escaped(answer.status))</span>"
                }
                page += "</td></tr>\n"
            }
            page += "</table>\n"
            appendRest(contract.operations.count, to: &page)
            page += "</section>\n"
        }
    }

    private func appendClients(to page: inout String) {
        for table in report.clientTables {
            page += "<section class=\"card\">\n<h2>Results of \(HTMLText.escaped(table.client)) with"
            page += " \(HTMLText.escaped(table.contract))</h2>\n<p>\(HTMLText.escaped(table.sentence)).</p>\n"
            page += "<table class=\"outcomes\">\n<tr><th>operation</th><th>outcomes</th></tr>\n"
            for line in table.operations.prefix(PageReport.listed) {
                page += "<tr><td>\(HTMLText.escaped(line.operation))</td><td>"
                for (outcome, answers) in line.outcomes {
                    page += "<span class=\"dim\">\(HTMLText.escaped(outcome))</span> "
                    for answer in answers {
                        let word = answer.isSound ? "covered" : "unsound"
                        page += "<span class=\"answer \(word)\">\(HTMLText.escaped(answer.answer))</span>"
                    }
                    page += " "
                }
                page += "</td></tr>\n"
            }
            page += "</table>\n"
            appendRest(table.operations.count, to: &page)
            page += "</section>\n"
        }
    }

    private func appendRest(_ count: Int, to page: inout String) {
        guard count > PageReport.listed else { return }
        let more = count - PageReport.listed
        page += "<p class=\"dim\">… and \(more) more; a JSON report contains the complete list.</p>\n"
    }
}
