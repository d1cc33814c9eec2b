/// The forms that a report can take.
package enum ReportFormat: String, Sendable, CaseIterable {
    case text
    case json
    case junit
    case sarif
    case github
    case markdown

    /// Writes a report.
    package func text(of report: Report) -> String { "" }
}
