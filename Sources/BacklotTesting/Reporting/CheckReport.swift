import BacklotTestServer
import Basics
import Reports
public import Testing

/// The result of testing a client.
public struct CheckReport: Sendable {
    let report: Report
    /// Where each call and each flow is written, by the operation's or the story's id.
    let locations: [String: SourceLocation]

    /// A Boolean value that indicates whether at least one check was performed and all checks passed.
    ///
    /// Warnings are not failures.
    public var passed: Bool { report.verdict == .held }

    /// All findings, regardless of severity, in the order of the checks.
    public var findings: [CheckFinding] {
        report.findings.map { CheckFinding($0) }
            + report.checks.flatMap { check in
                // A story's checks are in a group of its name; all others are in the client's.
                let subject = report.stories.isEmpty ? check.name : check.group
                return check.findings.map { CheckFinding($0, about: subject) }
            }
    }

    /// The findings that caused a check to fail.
    public var failures: [CheckFinding] { findings.filter { $0.severity == .error } }

    /// The number of checks, excluding skipped checks.
    public var checkCount: Int { report.counts.passed + report.counts.failed }
}

extension CheckReport: CustomStringConvertible {
    /// A summary of the failures and the number of checks.
    ///
    /// For the complete report, see ``text(_:)``.
    public var description: String {
        let failures = failures
        var lines = failures.prefix(Self.issueLimit).map(\.description)
        if failures.count > lines.count { lines.append("and " + Self.rest(failures.count - lines.count)) }
        return (lines + [report.tally]).joined(separator: "\n")
    }
}

extension CheckReport {
    private static let issueLimit = 12

    private static func rest(_ count: Int) -> String { "\(count) more \(count == 1 ? "failure" : "failures")" }

    /// Records each failure as an issue of the running test, and attaches the report as plain text and HTML.
    ///
    /// Each issue is recorded at the line of its call or flow. Only the first twelve failures are recorded
    /// individually; an additional issue reports the number of remaining failures. An issue is also recorded if no
    /// checks were performed. If all checks passed, one issue that does not fail the test lists the warnings.
    ///
    /// - Parameter location: The location for issues without a call or flow.
    public func recordIssues(at location: SourceLocation = #_sourceLocation) {
        guard !passed else { return recordWarnings(at: location) }
        let failures = failures
        for failure in failures.prefix(Self.issueLimit) {
            Issue.record("\(failure)", sourceLocation: self.location(of: failure) ?? location)
        }
        if failures.count > Self.issueLimit {
            let rest = Self.rest(failures.count - Self.issueLimit)
            Issue.record("\(rest): \(report.tally)", sourceLocation: location)
        } else if failures.isEmpty {
            Issue.record("nothing was checked: \(report.tally)", sourceLocation: location)
        }
        Attachment.record(text(.text), named: .attachment("report.txt"), sourceLocation: location)
        Attachment.record(text(.html), named: .attachment("report.html"), sourceLocation: location)
    }

    private func recordWarnings(at location: SourceLocation) {
        let warnings = findings.filter { $0.severity == .warning }
        guard !warnings.isEmpty else { return }
        #if compiler(>=6.3)
            let list = warnings.prefix(Self.issueLimit).map { "\n  \($0)" }.joined()
            let text = "\(plural(warnings.count, "warning")) in the \(report.title):\(list)"
            Issue.record("\(text)", severity: .warning, sourceLocation: location)
        #endif
    }

    /// The location of the call or the flow of a failure.
    private func location(of failure: CheckFinding) -> SourceLocation? {
        // The message of a finding about the adapter begins with the name of the operation.
        [failure.subject, failure.message].lazy.compactMap { $0.flatMap(location(ofSubject:)) }.first
    }

    private func location(ofSubject subject: String) -> SourceLocation? {
        let ids = locations.keys.filter { id in
            guard subject.hasPrefix(id) else { return false }
            return subject.utf8.dropFirst(id.utf8.count).first.map { " /".utf8.contains($0) } ?? true
        }
        return ids.max { $0.utf8.count < $1.utf8.count }.flatMap { locations[$0] }
    }
}

extension CheckReport {
    /// A report format.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Plain text.
        case text
        /// JSON with stable names.
        case json
        /// JUnit XML for build servers.
        case junit
        /// SARIF 2.1.0 for code scanning.
        case sarif
        /// GitHub workflow commands, which GitHub shows next to the affected lines.
        case github
        /// Markdown for a job summary or a comment.
        case markdown
        /// A self-contained HTML page.
        case html
    }

    /// Returns the complete report in the given format.
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

    /// Writes the report to a file.
    ///
    /// - Parameters:
    ///   - format: The report's format.
    ///   - path: The file path. Missing folders are created.
    public func write(_ format: Format, to path: String) throws {
        let files = DiskFiles()
        do throws(FileProblem) {
            try files.makeFolder(FilePath.folder(of: path))
            try files.write(Array(text(format).utf8), to: path, followsLink: true)
        } catch {
            throw TestProblem("the report cannot be written to \(path): \(error.reason)")
        }
    }
}

/// A finding about a client.
public struct CheckFinding: Sendable, Hashable {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// Information that does not indicate a problem.
        case note
        /// A probable mistake that does not fail the check.
        case warning
        /// A failure of the check.
        case error
    }

    /// The finding's severity.
    public let severity: Severity
    /// The stable ID of the rule, such as `responses/hang`.
    public let id: String
    /// A description of the problem and the expected state.
    public let message: String
    /// Advice on how to fix the problem, or `nil` if no fix is known.
    public let advice: String?
    /// The affected operation or story.
    public let subject: String?
    /// The affected file, usually the contract or the story.
    public let file: String?
    /// The line number in the file, starting at 1.
    public let line: Int?
    /// The column number in the line, starting at 1.
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
    /// The finding in the format of compiler messages: `file:line:column: error: sentence; advice [id]`.
    public var description: String {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
        let about = subject.map { "\($0): " } ?? ""
        return (place.isEmpty ? "" : "\(place): ") + "\(severity.rawValue): \(about)\(message)"
            + (advice.map { "; \($0)" } ?? "") + " [\(id)]"
    }
}
