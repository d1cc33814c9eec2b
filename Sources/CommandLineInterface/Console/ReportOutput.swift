import Basics
package import Reports

/// Where a command's report goes: to the terminal, and into the files that `--report` names.
package struct ReportOutput: Sendable {
    package static let option = Option(
        repeated: "report",
        "FORMAT=FILE",
        ValueKind<String>(
            expected: ReportOption.expectation,
            note: "text, json, junit, sarif, github, markdown or html"
        ) {
            $0.isEmpty ? nil : $0
        },
        "Also write a report to a file, or to standard output with -"
    )

    private let options: [ReportOption]

    /// - Throws: ``UsageError`` for an unknown format, and for two reports in one place.
    package init(_ arguments: ParsedArguments) throws(UsageError) {
        var options: [ReportOption] = []
        for text in arguments[ReportOutput.option] {
            let option: ReportOption
            do {
                option = try ReportOption(text)
            } catch {
                throw arguments.misuse(error.sentence)
            }
            if options.contains(where: { $0.file == option.file }) {
                throw arguments.misuse("only one report can be written to \(option.file ?? "standard output")")
            }
            options.append(option)
        }
        self.options = options
    }

    /// Refuses a report in a folder that does not exist, before the work is done that it is about.
    package func checkFolders(_ arguments: ParsedArguments) throws(UsageError) {
        let files = DiskFiles()
        for file in options.compactMap(\.file) {
            let folder = FilePath.folder(of: file)
            guard !files.isFolder(folder) else { continue }
            throw arguments.misuse("the report \(file) cannot be written, because the folder \(folder) does not exist")
        }
    }

    /// A Boolean value that indicates whether a report has standard output to itself.
    package var takesOutput: Bool { options.contains { $0.file == nil } }

    /// Writes every report, and chooses the exit code.
    ///
    /// The text report is always written; a report on standard output has it to itself. Under GitHub Actions the
    /// annotations follow the text, unless they were asked for.
    ///
    /// - Parameter isTold: whether all of it was printed already, while it happened.
    package func write(_ report: Report, isTold: Bool = false) -> ExitCode {
        var report = report
        report.version = BacklotVersion.text
        var isWritten = true
        func output(_ text: String) { isWritten = Terminal.output(text) && isWritten }
        if takesOutput {
            if !isTold { Terminal.complain(TextReport(report, isColoured: Terminal.showsColours).text) }
        } else {
            if !isTold { output(TextReport(report, isColoured: Terminal.showsColoursOnOutput).text) }
            if Terminal.environment["GITHUB_ACTIONS"] == "true", !options.contains(where: { $0.format == .github }) {
                output(ReportFormat.github.text(of: report))
            }
        }
        if !isWritten { Terminal.complain("error: writing to standard output failed; the report is lost\n") }
        for option in options {
            let text = option.format.text(of: report)
            guard let file = option.file else {
                output(text)
                continue
            }
            if let problem = Terminal.writeFile(file, text) {
                Terminal.complain("error: the report \(file) cannot be written: \(problem)\n")
                isWritten = false
            }
        }
        addToJobSummary(report)
        guard isWritten else { return .misuse }
        switch report.verdict {
        case .held: return .success
        case .failed: return .failed
        case .nothingChecked: return .misuse
        }
    }

    /// Adds the report to the summary of a GitHub job, unless Markdown was asked for.
    ///
    /// A summary that cannot be written fails nothing: the user of the command did not ask for it.
    private func addToJobSummary(_ report: Report) {
        guard let file = Terminal.environment["GITHUB_STEP_SUMMARY"], !file.isEmpty,
            !options.contains(where: { $0.format == .markdown }),
            let problem = Terminal.appendToFile(file, ReportFormat.markdown.text(of: report))
        else { return }
        Terminal.complain("warning: the job's summary \(file) cannot be written: \(problem)\n")
    }
}
