package import Basics
import EventLoops
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
        "Write a report into a file as well, or to standard output with -"
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
                throw arguments.misuse("two reports cannot both be written to \(option.file ?? "standard output")")
            }
            options.append(option)
        }
        self.options = options
    }

    /// Whether a report has standard output to itself.
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
        if !isWritten { Terminal.complain("error: standard output takes no more, so the report is lost\n") }
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

/// The version that commands print and reports name.
package enum BacklotVersion {
    package static let text = "0.1.0"
}

/// A client that has ended the process in which it was tested.
package struct EndedTest: Sendable, Hashable {
    /// The environment variable that tells the process which goes on with the other clients.
    package static let variable = "BACKLOT_ENDED_TESTS"

    /// What the client has done.
    package var deed: String
    /// What to look for.
    package var advice: String
    /// What was under way, the latest first.
    package var latest: [String]

    package init(_ deed: String, advice: String, latest: [String]) {
        (self.deed, self.advice, self.latest) = (deed, advice, latest)
    }

    /// Reads what ``text(_:)`` has written; none where there is nothing.
    package static func list(_ text: String?) -> [EndedTest] {
        (text ?? "").split(separator: "\u{1E}").compactMap { entry in
            let fields = entry.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
            return fields.count < 2 ? nil : EndedTest(fields[0], advice: fields[1], latest: Array(fields.dropFirst(2)))
        }
    }

    /// The tests as one value of an environment variable.
    package static func text(_ tests: [EndedTest]) -> String {
        tests.map { ([$0.deed, $0.advice] + $0.latest).joined(separator: "\u{1F}") }.joined(separator: "\u{1E}")
    }

    /// Whether it was this client: what is under way begins with its name.
    package func isTest(of client: String) -> Bool {
        latest.first?.utf8.starts(with: "\(client) ".utf8) ?? false
    }

    /// What is left to say about it.
    package var finding: Finding {
        var message = "\(deed), " + (latest.first.map { "at or shortly after \($0)" } ?? "before the first call")
        if latest.count > 1 {
            message += "; under way may also have been \(latest.dropFirst().joined(separator: ", "))"
        }
        let remedy = "run that alone with --operation or --story, \(advice); what else was found in this client is lost"
        return Finding(.error, id: "responses/crash", message, advice: remedy)
    }
}

/// A file in which a program notes what it is about to do, so that the program that started it can find why it crashed.
package struct ProgressFile: Sendable {
    /// The environment variable that names the file.
    package static let variable = "BACKLOT_UNDER_WAY"
    /// The limit of things that are under way at the same time.
    private static let most = 8

    private let file: Descriptor?

    /// - Parameter path: the file; with `nil`, or where it cannot be written, nothing is noted.
    package init(_ path: String?) {
        do {
            file = try path.map { path throws(SystemError) in try Platform.openFile(path, for: .writing) }
        } catch {
            file = nil
        }
    }

    /// Notes what begins, on a line of its own.
    package func note(_ what: String) {
        guard let file else { return }
        // In one call, so that two threads do not mix their lines.
        Platform.write(Array((what.split { $0.isNewline }.joined(separator: " ") + "\n").utf8), to: file)
    }

    /// Forgets what was noted, because the program ends by itself.
    package static func clear(_ path: String?) {
        // Opening a file for writing empties it.
        _ = ProgressFile(path)
    }

    /// What began last, the latest first.
    package static func latest(in text: String) -> [String] {
        text.split { $0.isNewline }.suffix(most).reversed().map(String.init)
    }
}
