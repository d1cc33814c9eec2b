import Basics
import Reports

/// The result of testing a client.
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

extension CheckReport {
    /// The forms that a report can take.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// For people.
        case text
        /// Everything, with names that stay.
        case json
        /// JUnit's XML, as build servers read it.
        case junit
        /// SARIF 2.1.0, for code scanning.
        case sarif
        /// Workflow commands, which GitHub shows beside the lines that they are about.
        case github
        /// For a job's summary or a comment.
        case markdown
        /// A page of its own for a browser.
        case html
    }

    /// The whole report in one form.
    public func text(_ format: Format) -> String {
        let format: ReportFormat =
            switch format {
            case .text: .text
            case .json: .json
            case .junit: .junit
            case .sarif: .sarif
            case .github: .github
            case .markdown: .markdown
            case .html: .html
            }
        return format.text(of: report)
    }

    /// Writes the report into a file.
    ///
    /// - Parameters:
    ///   - format: the report's form.
    ///   - path: where to; the folders on the way are made.
    public func write(_ format: Format, to path: String) throws {
        let files = DiskFiles()
        do throws(FileProblem) {
            try files.makeFolder(FilePath.folder(of: path))
            try files.write(Array(text(format).utf8), to: path)
        } catch {
            throw TestProblem("the report cannot be written to \(path): \(error.reason)")
        }
    }
}

/// Something worth telling about a client.
public struct CheckFinding: Sendable, Hashable {
    /// How much a finding weighs.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// Worth knowing; nothing is wrong.
        case note
        /// Probably not what was meant; the check passes.
        case warning
        /// The check has failed.
        case error
    }

    /// How much it weighs.
    public let severity: Severity
    /// The rule's name, which stays the same, such as `responses/hang`.
    public let id: String
    /// What was found and what would be right.
    public let message: String
    /// What to do about it.
    public let advice: String?
    /// The operation of the contract that it is about, or the story.
    public let subject: String?
    /// The file of the place that it points to, mostly the contract or the story.
    public let file: String?
    /// The line in that file, from 1.
    public let line: Int?
    /// The column in that line, from 1.
    public let column: Int?

    init(_ finding: Finding, about subject: String? = nil) {
        severity =
            switch finding.severity {
            case .note: .note
            case .warning: .warning
            case .error: .error
            }
        id = finding.id
        message = finding.message
        advice = finding.advice
        self.subject = subject ?? finding.place?.operation
        file = finding.place?.file
        line = finding.place?.position?.line
        column = finding.place?.position?.column
    }
}

extension CheckFinding: CustomStringConvertible {
    /// The line that compilers print: `file:line:column: error: sentence; advice [id]`.
    public var description: String {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
        let about = subject.map { "\($0): " } ?? ""
        return (place.isEmpty ? "" : "\(place): ") + "\(severity.rawValue): \(about)\(message)"
            + (advice.map { "; \($0)" } ?? "") + " [\(id)]"
    }
}
