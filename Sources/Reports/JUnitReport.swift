import Basics

/// The report for build servers: JUnit's XML, with a suite for each group and a case for each check.
///
/// There is no standard; this is the part that Jenkins, GitLab and GitHub's readers agree on. What fails a check is a
/// `failure`; other findings stand in its `system-out`. What belongs to no check gets a case by file.
struct JUnitReport {
    let report: Report

    init(_ report: Report) {
        self.report = report
    }

    var text: String {
        let suites = suites
        let counts = suites.reduce(into: Counts()) { $0.add($1.counts) }
        let root = XMLElement(
            "testsuites",
            [("name", "backlot \(report.title)")] + counts.attributes,
            .elements(suites.map(\.element))
        )
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        root.write(to: &text)
        return text
    }

    private struct Counts {
        var tests = 0
        var failures = 0
        var skipped = 0

        mutating func add(_ other: Counts) {
            tests += other.tests
            failures += other.failures
            skipped += other.skipped
        }

        var attributes: [(name: String, value: String?)] {
            [
                ("tests", "\(tests)"), ("failures", "\(failures)"), ("errors", "0"), ("skipped", "\(skipped)"),
                ("time", "0"),
            ]
        }
    }

    private struct Suite {
        var name: String
        var counts = Counts()
        var properties: [XMLElement]
        var cases: [XMLElement] = []

        var element: XMLElement {
            XMLElement(
                "testsuite",
                [("name", name)] + counts.attributes,
                .elements([XMLElement("properties", [], .elements(properties))] + cases)
            )
        }
    }

    private var suites: [Suite] {
        var numbers: [[UInt8]: Int] = [:]
        var suites: [Suite] = []
        for check in strays + report.checks {
            let key = Array(check.group.utf8)
            let number = numbers[key] ?? suites.count
            if number == suites.count {
                numbers[key] = number
                suites.append(Suite(name: check.group, properties: properties(of: check.group)))
            }
            suites[number].cases.append(element(check))
            suites[number].counts.tests += 1
            switch report.outcome(of: check) {
            case .failed: suites[number].counts.failures += 1
            case .skipped: suites[number].counts.skipped += 1
            case .passed: break
            }
        }
        return suites
    }

    /// What made the report, and what a client of this name makes of each operation's answers.
    private func properties(of suite: String) -> [XMLElement] {
        var values = [("tool", "backlot"), ("version", report.version), ("command", report.title)]
        values += report.clients.filter { $0.client.utf8.elementsEqual(suite.utf8) }.map { ($0.operation, $0.words) }
        return values.filter { !$0.1.isEmpty }.map { XMLElement("property", [("name", $0.0), ("value", $0.1)]) }
    }

    /// What belongs to no check, as a check by file.
    private var strays: [Report.Check] {
        var numbers: [[UInt8]: Int] = [:]
        var checks: [Report.Check] = []
        for finding in report.findings {
            let name = finding.place?.file ?? "everything"
            let key = Array(name.utf8)
            let number = numbers[key] ?? checks.count
            if number == checks.count {
                numbers[key] = number
                checks.append(Report.Check(group: "files", name: name, place: Place(file: finding.place?.file)))
            }
            checks[number].findings.append(finding)
        }
        return checks
    }

    private func element(_ check: Report.Check) -> XMLElement {
        let place = check.place ?? check.findings.first?.place
        var content: [XMLElement] = []
        let failing = check.findings.filter(report.fails)
        // Jenkins shows one failure of a case; the first names the rule, the text has them all.
        if let first = failing.first {
            content.append(
                XMLElement(
                    "failure",
                    [("message", first.message), ("type", first.id)],
                    .text(JUnitReport.lines(failing))
                )
            )
        } else if let reason = check.skipped {
            content.append(XMLElement("skipped", [("message", reason)]))
        }
        let others = check.findings.filter { !report.fails($0) }
        if !others.isEmpty { content.append(XMLElement("system-out", [], .text(JUnitReport.lines(others)))) }
        return XMLElement(
            "testcase",
            [
                ("name", check.name), ("classname", check.group), ("time", "0"), ("file", place?.file),
                ("line", (place?.position?.line).map { "\($0)" }),
            ],
            .elements(content)
        )
    }

    private static func lines(_ findings: [Finding]) -> String {
        findings.flatMap { [$0.line] + $0.related.map { "  \($0)" } }.joined(separator: "\n")
    }
}
