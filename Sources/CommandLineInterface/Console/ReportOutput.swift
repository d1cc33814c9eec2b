import Basics
package import JSON
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
    /// A Boolean value that indicates whether the result for `--json` contains the whole report.
    private let isDetailed: Bool

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
        if Terminal.printsJSON, options.contains(where: { $0.file == nil }) {
            throw arguments.misuse("--json and a report on standard output cannot be combined; keep one")
        }
        self.options = options
        isDetailed = arguments.origin(of: CommandResult.detail) != nil
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
        addResult(of: report)
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
        if !isWritten { Terminal.refuse("writing to standard output failed; the report is lost") }
        for option in options {
            let text = option.format.text(of: report)
            guard let file = option.file else {
                output(text)
                continue
            }
            if let problem = Terminal.writeFile(file, text) {
                Terminal.refuse("the report \(file) cannot be written: \(problem)")
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

    /// The schemas of the members that a report adds to a result.
    package static let result: JSONObject = [
        "verdict": ["enum": ["held", "failed", "nothingChecked"]],
        "counts": [
            "type": "object",
            "required": ["errors", "warnings", "notes", "checks", "passed", "failed", "skipped"],
            "additionalProperties": ["type": "integer", "minimum": 0],
        ],
        "storyCounts": [
            "type": "object",
            "required": ["passed", "failed", "incomplete"],
            "additionalProperties": ["type": "integer", "minimum": 0],
        ],
        "stories": [
            "type": "array",
            "description": "The stories that did not pass.",
            "items": [
                "type": "object",
                "required": ["id", "outcome", "summary"],
                "properties": [
                    "id": ["type": "string"], "outcome": ["enum": ["failed", "incomplete"]],
                    "summary": ["type": "string"], "file": ["type": "string"], "again": ["type": "string"],
                ],
                "additionalProperties": false,
            ],
        ],
        "summary": ["type": "array", "items": ["type": "string"]],
        "report": ["type": "object", "description": "With --detail, the report that --report json=FILE writes."],
    ]

    /// Adds the report to the result that `--json` prints.
    private func addResult(of report: Report) {
        Terminal.changeResult { result in
            result.findings += report.findings.map { CommandResult.SubjectFinding($0) }
            for check in report.checks {
                result.findings += check.findings.map { CommandResult.SubjectFinding($0, of: check.group) }
            }
            result.members["verdict"] = .string(report.verdict.rawValue)
            result.members["counts"] = report.counts.json
            if !report.stories.isEmpty {
                let counts = Judgement.Outcome.allCases.map { outcome in
                    (outcome.rawValue, JSONValue.number(JSONNumber(report.stories.count { $0.outcome == outcome })))
                }
                result.members["storyCounts"] = .object(JSONObject(counts))
                let open = report.stories.filter { $0.outcome != .passed }
                result.members["stories"] = .array(open.prefix(isDetailed ? .max : 10).map(Self.json))
                result.next += open.prefix(1).compactMap(\.command)
            }
            if !report.summary.isEmpty {
                result.members["summary"] = .array(report.summary.prefix(isDetailed ? .max : 10).map(JSONValue.string))
            }
            if isDetailed { result.members["report"] = report.json }
        }
    }

    private static func json(_ story: PlayedStory) -> JSONValue {
        var object: JSONObject = [
            "id": .string(story.id), "outcome": .string(story.outcome.rawValue), "summary": .string(story.summary),
        ]
        object["file"] = story.file.map(JSONValue.string)
        object["again"] = story.command.map(JSONValue.string)
        return .object(object)
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
