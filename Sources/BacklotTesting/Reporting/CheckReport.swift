import Basics
import Reports

/// What came of testing a client.
public struct CheckReport: Sendable {
    let report: Report

    /// Whether something was checked and all of it held.
    ///
    /// Warnings fail nothing.
    public var passed: Bool { report.verdict == .held }

    /// Everything worth telling, errors and others, in the order of the checks.
    public var findings: [CheckFinding] {
        report.findings.map { CheckFinding($0) }
            + report.checks.flatMap { check in check.findings.map { CheckFinding($0, about: check.name) } }
    }

    /// The findings that have failed a check.
    public var failures: [CheckFinding] { findings.filter { $0.severity == .error } }

    /// How many checks there were, without those that were skipped.
    public var checkCount: Int { report.counts.passed + report.counts.failed }
}

extension CheckReport: CustomStringConvertible {
    /// The report for people.
    public var description: String { text(.text) }
}
