import Basics

/// A report that a command line asks for: `--report FORMAT=FILE`.
package struct ReportOption: Sendable, Hashable {
    package var format: ReportFormat
    /// `nil` for standard output, written `-`.
    package var file: String?

    package static let expectation = "FORMAT=FILE, such as junit=report.xml; the formats are \(formats)"

    /// Reads the option's value.
    ///
    /// - Throws: ``ReportOptionProblem`` for a format that nobody knows and for a missing file.
    package init(_ text: String) throws(ReportOptionProblem) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let format = ReportFormat(rawValue: parts[0]) else {
            let meant = Suggestion.nearest(to: parts[0], among: ReportFormat.allCases.map(\.rawValue))
            let advice = meant.map { "did you mean \($0)?" } ?? "the formats are \(ReportOption.formats)"
            throw ReportOptionProblem(sentence: "there is no report format \"\(parts[0].printable)\"; \(advice)")
        }
        guard parts.count == 2, !parts[1].isEmpty else {
            throw ReportOptionProblem(
                sentence: "a report needs a file: \(format.rawValue)=FILE, or \(format.rawValue)=- for standard output"
            )
        }
        self.format = format
        file = parts[1] == "-" ? nil : parts[1]
    }

    private static var formats: String {
        ReportFormat.allCases.map(\.rawValue).joined(lastBy: "and")
    }
}

/// Why a text asks for no report.
package struct ReportOptionProblem: Error, Hashable {
    /// What was found and what would be right, without a closing full stop.
    package var sentence: String
}
