/// The forms that a report can take.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// Everything, with names that stay.
    case json
    /// JUnit's XML, as Jenkins and GitLab read it.
    case junit
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Workflow commands, which GitHub shows beside the lines that they are about.
    case github
    /// For a job's summary or a comment.
    case markdown
    /// A page of its own for a browser.
    case html

    /// Writes a report; the text ends in a line break unless it is empty.
    package func text(of report: Report) -> String {
        switch self {
        case .text: TextReport(report).text
        case .json: JSONReport(report).text
        case .junit: JUnitReport(report).text
        case .sarif: SARIFReport(report).text
        case .github: GitHubReport(report).text
        case .markdown: MarkdownReport(report).text
        case .html: PageReport(report).text
        }
    }
}
