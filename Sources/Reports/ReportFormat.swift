import Basics
import JSON

/// The forms that a report can take.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// Plain text.
    case text
    /// Everything as JSON, with stable names.
    case json
    /// JUnit's XML, as Jenkins and GitLab read it.
    case junit
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Workflow commands, which GitHub shows next to the lines that they are about.
    case github
    /// For a job's summary or a comment.
    case markdown
    /// A self-contained HTML page.
    case html

    /// Writes a report; the text ends in a line break unless it is empty.
    package func text(of report: Report) -> String {
        switch self {
        case .text: TextReport(report).text
        case .json: JSONReport(report: report).text
        case .junit: JUnitReport(report: report).text
        case .sarif: SARIFReport(report).text
        case .github: GitHubReport(report: report).text
        case .markdown: MarkdownReport(report: report).text
        case .html: PageReport(report).text
        }
    }
}

/// A report that a command line asks for: `--report FORMAT=FILE`.
package struct ReportOption: Sendable, Hashable {
    package var format: ReportFormat
    /// `nil` for standard output, written `-`.
    package var file: String?

    package static let expectation = "FORMAT=FILE, such as junit=report.xml; the formats are \(formats)"

    /// Reads the option's value.
    ///
    /// - Throws: ``ReportOptionProblem`` for an unknown format and for a missing file.
    package init(_ text: String) throws(ReportOptionProblem) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let format = ReportFormat(rawValue: parts[0]) else {
            let meant = Suggestion.nearest(to: parts[0], among: ReportFormat.allCases.map(\.rawValue))
            let advice = meant.map { "did you mean \($0)?" } ?? "the formats are \(ReportOption.formats)"
            throw ReportOptionProblem(sentence: "unknown report format \"\(parts[0].printable)\"; \(advice)")
        }
        guard parts.count == 2, !parts[1].isEmpty else {
            throw ReportOptionProblem(
                sentence:
                    "a report requires a file: \(format.rawValue)=FILE, or \(format.rawValue)=- for standard output"
            )
        }
        self.format = format
        file = parts[1] == "-" ? nil : parts[1]
    }

    private static var formats: String {
        ReportFormat.allCases.map(\.rawValue).joined(lastBy: "and")
    }
}

/// The reason why a text is not a report option.
package struct ReportOptionProblem: Error, Hashable {
    /// The finding and what was expected, without a closing full stop.
    package var sentence: String
}
