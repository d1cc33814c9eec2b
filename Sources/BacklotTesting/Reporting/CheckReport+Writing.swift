import Basics
import Reports

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
