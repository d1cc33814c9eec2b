import Basics
import JSON

/// The report for build servers: JUnit's XML, with a suite for each group and a case for each check.
///
/// There is no standard; this is the part that the schemas of Jenkins (junit-10.xsd) and of Surefire
/// (surefire-test-report.xsd) share. The findings that fail a check are its `failure`; its place and other findings are in
/// its `system-out`. Findings without a check get a case by file.
struct JUnitReport {
    let report: Report

    var text: String {
        let suites = suites
        let counts = suites.reduce(into: Counts()) { $0.add($1.counts) }
        let root = XMLElement(
            "testsuites",
            [("name", "backlot \(report.title)")] + counts.attributes
                + [("time", Self.seconds(suites.reduce(.zero) { $0 + $1.duration }))],
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

        /// The attributes that a report and each of its suites have.
        var attributes: [(name: String, value: String?)] {
            [("tests", "\(tests)"), ("failures", "\(failures)"), ("errors", "0")]
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        let (seconds, fraction) = duration.components
        let milliseconds = Int(fraction / 1_000_000_000_000_000)
        guard duration > .zero else { return "0" }
        return "\(seconds)." + String("00\(milliseconds)".suffix(3))
    }

    private struct Suite {
        var name: String
        var counts: Counts
        /// The real time of the story or of the checks; zero if it was not measured.
        var duration: Duration
        var properties: [XMLElement]
        var cases: [XMLElement]

        var element: XMLElement {
            XMLElement(
                "testsuite",
                [("name", name)] + counts.attributes
                    + [("skipped", "\(counts.skipped)"), ("time", JUnitReport.seconds(duration))],
                .elements([XMLElement("properties", [], .elements(properties))] + cases)
            )
        }
    }

    private var suites: [Suite] {
        (strays + report.checks).grouped(by: \.group).map { group, checks in
            Suite(
                name: group,
                counts: Counts(
                    tests: checks.count,
                    failures: checks.count { report.outcome(of: $0) == .failed },
                    skipped: checks.count { report.outcome(of: $0) == .skipped }
                ),
                duration: report.stories.first { $0.id.exact == group.exact }?.duration
                    ?? checks.reduce(.zero) { $0 + ($1.duration ?? .zero) },
                properties: properties(of: group),
                cases: named(checks).map { element($0.check, named: $0.name) }
            )
        }
    }

    /// The checks of a suite with distinct names: readers take two cases of one name for the same.
    private func named(_ checks: [Report.Check]) -> [(name: String, check: Report.Check)] {
        var counts: [ExactText: Int] = [:]
        var names = Set(checks.map { $0.name.exact })
        return checks.map { check in
            let key = check.name.exact
            counts[key, default: 0] += 1
            guard var number = counts[key], number > 1 else { return (check.name, check) }
            while !names.insert(ExactText("\(check.name) (\(number))")).inserted { number += 1 }
            return ("\(check.name) (\(number))", check)
        }
    }

    /// The creator of the report, and the client's results for each operation's responses.
    private func properties(of suite: String) -> [XMLElement] {
        var values = [("tool", "backlot"), ("version", report.version), ("command", report.title)]
        values += report.clients.filter { $0.client.exact == suite.exact }.map { ($0.operation, $0.words) }
        return values.filter { !$0.1.isEmpty }.map { XMLElement("property", [("name", $0.0), ("value", $0.1)]) }
    }

    /// Findings without a check, as a check by file.
    private var strays: [Report.Check] {
        report.findings.grouped { $0.place?.file ?? "everything" }.map { name, findings in
            Report.Check(group: "files", name: name, findings: findings, place: Place(file: findings[0].place?.file))
        }
    }

    private func element(_ check: Report.Check, named name: String) -> XMLElement {
        let place = check.place ?? check.findings.first?.place
        var content: [XMLElement] = []
        let failing = (check.findings + check.repeated).filter(report.fails)
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
        let others = JUnitReport.lines(check.findings.filter { !report.fails($0) })
        // No schema has attributes for a place, so it is text.
        var output =
            place.flatMap { place in
                place.file.map { Place(file: $0, position: place.position).description }
            }.map { [$0] } ?? []
        if !others.isEmpty { output.append(others) }
        if !output.isEmpty { content.append(XMLElement("system-out", [], .text(output.joined(separator: "\n")))) }
        return XMLElement(
            "testcase",
            [("name", name), ("classname", check.group), ("time", JUnitReport.seconds(check.duration ?? .zero))],
            .elements(content)
        )
    }

    private static func lines(_ findings: [Finding]) -> String {
        findings.flatMap { [$0.line] + $0.relatedLines.map { "  \($0)" } }.joined(separator: "\n")
    }
}
