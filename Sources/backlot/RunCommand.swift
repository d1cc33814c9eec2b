import Basics
import Checking
import CommandLineInterface
import JSON
import Reports
import ScenarioFormat
import StoryRunning

/// `backlot run`: runs a client with stories, and judges it.
enum RunCommand {
    private static let stories = Positional(
        variadic: "STORY",
        atLeast: 1,
        .file(endings: TextFormat.endings, orFolder: true),
        "Stories, or folders with stories; backends are ignored"
    )
    static let client = Positional(
        variadic: "COMMAND",
        atLeast: 1,
        .text("a command"),
        "The client: a program and its arguments, started once for each launch"
    )
    /// A duration above zero.
    static var duration: ValueKind<Duration> {
        ValueKind(expected: "a duration such as 90s", write: DurationText.text) { text in
            DurationText.parse(text).flatMap { $0 > .zero ? $0 : nil }
        }
    }
    private static let timeLimit = Option(
        "time-limit",
        "DURATION",
        duration,
        default: .seconds(60),
        "The time limit of each launch of the client, in real time"
    )
    private static let schedules = StoryOptions.schedules(
        default: 1,
        "The number of runs of each story, each with a different seed, until a run fails"
    )
    private static let processes = Option(
        "processes",
        "N",
        .integer(in: 2...64),
        "The number of simultaneous copies of the command; all copies share one session and one state folder"
    )
    private static let mostFailures = Option(
        "max-failures",
        "N",
        .integer(in: 1...Int.max),
        "Stop after this number of stories that did not pass"
    )
    private static let output = Option(
        "output",
        "FOLDER",
        .folder,
        "The folder for the checks, journal, page and client output of each story"
    )
    static let baseline = Option(
        "baseline",
        "FILE",
        .file(endings: TextFormat.endings),
        "A file with known failures by story or operation; an entry that no longer fails is reported as a failure"
    )
    static let updateBaseline = Option(
        flag: "update-baseline",
        "Write the current failures to the baseline"
    )

    static let variables = Option(
        repeated: "env",
        "NAME=VALUE",
        ValueKind<ClientCommand.Variable>(expected: "a variable such as LOCALE=ko") { ClientCommand.Variable($0) },
        "Set a variable for the client; the command under \"again:\" repeats it"
    )

    private static let strict = Option(
        flag: "strict",
        "Fail a story if a rule is inconclusive because the machine was too slow"
    )

    static let description = CommandDescription(
        "run",
        "Judge a client with stories",
        discussion: """
            Starts a server and the command for each story, and judges the requests by the story's expectations, by \
            the token rules for every client, and by the contract. The command receives the base URL in BACKLOT_URL, \
            or in place of {url} in its arguments, and its stored tokens in BACKLOT_TOKENS. With --tls, BACKLOT_CA is the \
            file with the authority's certificate.

            Exits with 0 when every story passed, with 1 when a story failed or cannot be decided, and with 2 when no \
            story could be played or a file could not be written.
            """,
        examples: [
            "backlot run Scenarios/app -- python3 client.py {url}": "Judge a script with every story of a backend",
            "backlot run Scenarios/app/cold-start.json -- xcodebuild test -scheme App": "Judge an app with its tests",
            "backlot run Scenarios/app --report junit=run.xml --output out -- ./client":
                "Write reports for the build server",
        ],
        options: [
            StoryOptions.only, StoryOptions.seed, variables, schedules, processes, timeLimit, mostFailures,
            PlayOptions.contract,
            PlayOptions.overlay, PlayOptions.map, PlayOptions.refusalHold, strict, output, baseline, updateBaseline,
            ReportOutput.option,
        ] + TLSOptions.all,
        positionals: [stories],
        passthrough: client,
        otherNames: ["judge", "exec"],
        result: ReportOutput.result
    )

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
        // Before a client or a folder exists, which a signal would otherwise leave behind.
        StopSignals.hold()
        let reports = try ReportOutput(arguments)
        let baseline = try readBaseline(arguments)
        let environment = Terminal.environment
        var command = CommandClient(
            ClientCommand(arguments[client], variables: arguments[variables]),
            environment: environment
        )
        if let problem = command.command.problem(searching: environment["PATH"]) {
            return Terminal.refuse("\(problem.sentence); \(problem.advice)")
        }
        command.timeLimit = arguments[timeLimit]
        command.processes = (1..<(arguments[processes] ?? 0) + 1).map { "process-\($0)" }
        command.endsAtOnce = { StopSignals.count > 1 }
        var runner = StoryRunner(command)
        runner.configuration = PlayOptions.configuration(arguments)
        try TLSOptions.apply(arguments, to: &runner.configuration)
        runner.isInterrupted = { StopSignals.count > 0 }
        let selection = StorySelection(
            arguments[stories],
            only: arguments[StoryOptions.only],
            configuration: runner.configuration
        )
        guard isPlayable(selection) else { return .misuse }
        var run = StoryRun(runner)
        run.seed = arguments[StoryOptions.seed].map { UInt64($0) }
        run.schedules = arguments[schedules]
        run.mostFailures = arguments[mostFailures] ?? .max
        run.isStrict = arguments[strict]
        run.baseline = baseline
        run.output = arguments[output].map { OutputFolder($0, for: selection.stories) }
        run.output?.version = BacklotVersion.text
        var watcher = RunWatcher(isOutputTaken: reports.takesOutput)
        let summary = await run.play(selection.stories) { watcher.take($0) }
        watcher.finish(summary)
        var lost = summary.results.flatMap(\.lost)
        if !watcher.isRead { lost.append("writing to standard output failed; some results are lost") }
        if baseline.takesAll, !summary.isInterrupted {
            lost += [write(baseline.updated(by: summary.results))].compactMap(\.self)
        }
        return finish(summary, lost: lost, reports)
    }

    /// The baseline that the options name; one without entries where they name none.
    static func readBaseline(_ arguments: ParsedArguments) throws(UsageError) -> Baseline {
        guard let file = arguments[baseline] else {
            if arguments[updateBaseline] { throw arguments.misuse("--update-baseline requires --baseline FILE") }
            return Baseline()
        }
        guard !arguments[updateBaseline] || TextFormat(ofFile: file) == .json else {
            throw arguments.misuse("--update-baseline writes JSON, which would remove the comments from a YAML file")
        }
        var known: Baseline
        do throws(BaselineProblem) {
            // The first baseline is made by an update.
            let isNew = arguments[updateBaseline] && DiskFiles().resolve(file) == nil
            known = isNew ? Baseline(newFile: file) : try Baseline(file: file)
        } catch {
            throw arguments.misuse(error.sentence)
        }
        known.takesAll = arguments[updateBaseline]
        return known
    }

    /// Writes a baseline into its file.
    ///
    /// - Returns: why it cannot be written, as a sentence; `nil` when it was.
    static func write(_ baseline: Baseline) -> String? {
        let file = baseline.file ?? ""
        if let problem = Terminal.writeFile(file, baseline.json.text(.pretty) + "\n") {
            return "the baseline \(file) cannot be written: \(problem)"
        }
        Terminal.complain("\(file): \(baseline.summary)".printable + "\n")
        return nil
    }

    /// Reports what was found in the files, and whether they can be run.
    private static func isPlayable(_ selection: StorySelection) -> Bool {
        let paint = Paint(isColoured: Terminal.showsColours)
        let findings = selection.skipped + selection.problems + selection.remarks
        if Terminal.printsJSON {
            Terminal.complain(findings)
        } else {
            for finding in findings { Terminal.complain(paint(finding) + "\n") }
        }
        guard selection.problems.isEmpty else { return false }
        if selection.stories.isEmpty {
            Terminal.refuse("no story was found; specify a story, or a folder with a backend and its stories")
        }
        return !selection.stories.isEmpty
    }

    private static func finish(_ summary: StoryRun.Summary, lost: [String], _ reports: ReportOutput) -> ExitCode {
        for sentence in lost + [summary.problem].compactMap(\.self) { Terminal.refuse(sentence) }
        let code = reports.write(summary.report, isTold: true)
        if summary.isInterrupted { return .interrupted }
        return lost.isEmpty && summary.problem == nil ? code : .misuse
    }
}

/// Reports the progress of a run: a line for each story, and on a terminal one that is rewritten.
struct RunWatcher {
    /// A Boolean value that indicates whether a report has standard output to itself.
    let isOutputTaken: Bool
    /// A Boolean value that indicates whether the reader has taken every line so far.
    private(set) var isRead = true
    private let paint: Paint
    private let showsProgress = Terminal.rewritesLines

    init(isOutputTaken: Bool) {
        self.isOutputTaken = isOutputTaken
        paint = Paint(isColoured: isOutputTaken ? Terminal.showsColours : Terminal.showsColoursOnOutput)
    }

    mutating func take(_ progress: StoryRun.Progress) {
        switch progress {
        case .began(let story, let done, let total, let failed):
            guard showsProgress else { return }
            let failures = failed == 0 ? "" : ", \(plural(failed, "failure"))"
            let line = "\(done)/\(total)\(failures)  \(story.id)  \(story.title)".printable
            Terminal.complain("\r\u{1B}[K" + String(line.prefix(76)))
        case .ended(let result):
            clear()
            tell(StoryText(result, paint).lines)
        }
    }

    mutating func finish(_ summary: StoryRun.Summary) {
        clear()
        tell([summary.closing, summary.missingFacts].compactMap(\.self))
    }

    private func clear() {
        if showsProgress { Terminal.complain("\r\u{1B}[K") }
    }

    private mutating func tell(_ lines: [String]) {
        let text = lines.map { $0 + "\n" }.joined()
        if isOutputTaken { Terminal.complain(text) } else { isRead = Terminal.output(text) && isRead }
    }
}
