import Basics
import Checking
import CommandLineInterface
import JSON
import Reports
import ScenarioFormat
import StoryRunning

/// `backlot explore`: runs a client again and again with one thing wrong, and writes a story for each bug.
enum ExploreCommand {
    private static let base = Positional(
        "STORY|BACKEND",
        .file(endings: TextFormat.endings, orFolder: true),
        "A story, a backend, or a folder that contains a backend"
    )
    private static let defaultFolder = "explore"
    private static let output = Option(
        "output",
        "FOLDER",
        .folder,
        default: defaultFolder,
        "Write the stories and the progress to this folder of the project"
    )
    private static let budget = Option(
        "budget",
        "DURATION",
        RunCommand.duration,
        "Do not start further runs after this time"
    )
    private static let mostRuns = Option(
        "max-runs",
        "N",
        .integer(in: 2...1_000_000),
        "The maximum number of runs; by default, six per exchange, but at least 40"
    )
    private static let parallel = Option(
        "jobs",
        "N",
        .integer(in: 1...64),
        default: 2,
        "The number of concurrent runs"
    )
    private static let timeLimit = Option(
        "time-limit",
        "DURATION",
        RunCommand.duration,
        default: .seconds(30),
        "The time limit of each launch of the client, in real time"
    )
    private static let afresh = Option(flag: "afresh", "Ignore earlier results in the folder")

    static let description = CommandDescription(
        "explore",
        "Find token bugs that no story covers yet",
        discussion: """
            Runs the client twice without failures, and then repeatedly with one failure before each of its requests: \
            the token expires, the session ends, the refresh fails or the refresh response is lost. For each rule that the \
            client violates, writes the smallest story that reproduces the violation to the folder. To play the story \
            again, use backlot run.

            Exits with 0 when no violation was found, with 1 when a violation was found, and with 2 when no failure was \
            tried, because the files cannot be used or because the run without failures contains neither an accepted \
            access token nor a refresh. To continue an interrupted exploration, repeat the command.
            """,
        examples: [
            "backlot explore Scenarios/app -- python3 client.py {url}": "Explore a script that signs in",
            "backlot explore Scenarios/app/cold-start.json --budget 60s -- ./client": "Explore a story, for a minute",
        ],
        options: [
            StoryOptions.seed, RunCommand.variables, output, budget, mostRuns, parallel, timeLimit, afresh,
            PlayOptions.contract,
            PlayOptions.overlay, PlayOptions.map, PlayOptions.refusalHold, ReportOutput.option,
        ],
        positionals: [base],
        passthrough: RunCommand.client,
        result: ReportOutput.result
    )

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
        // Before a client or a folder exists, which a signal would otherwise leave behind.
        StopSignals.hold()
        let reports = try ReportOutput(arguments)
        let environment = Terminal.environment
        var command = CommandClient(
            ClientCommand(arguments[RunCommand.client], variables: arguments[RunCommand.variables]),
            environment: environment
        )
        if let problem = command.command.problem(searching: environment["PATH"]) {
            return Terminal.refuse("\(problem.sentence); \(problem.advice)")
        }
        command.timeLimit = arguments[timeLimit]
        command.endsAtOnce = { StopSignals.count > 1 }
        var runner = StoryRunner(command)
        runner.configuration = PlayOptions.configuration(arguments)
        runner.isInterrupted = { StopSignals.count > 0 }
        let folder = arguments[output]
        guard folder != defaultFolder || !DiskFiles().isLink(folder) else {
            return Terminal.refuse(
                "\"\(folder)\" is a symbolic link, which is not followed; name its target with --output"
            )
        }
        do throws(FileProblem) {
            try DiskFiles().makeFolder(folder)
        } catch {
            return Terminal.refuse("the folder \"\(folder)\" cannot be created: \(error.reason)")
        }
        do throws(ExploreProblem) {
            let base = try ExploreBase(arguments[base], storiesIn: folder, configuration: runner.configuration)
            var exploration = Exploration(base, runner)
            exploration.seed = arguments[StoryOptions.seed].map { UInt64($0) }
            exploration.parallel = arguments[parallel]
            exploration.mostRuns = arguments[mostRuns]
            exploration.budget = arguments[budget]
            var memory = ExploreMemory(
                FilePath.join(folder, ExploreResult.recordName),
                base,
                command.command,
                exploration.seed
            )
            if !arguments[afresh] { exploration.known = memory.read() }
            if !exploration.known.isEmpty {
                let known = plural(exploration.known.count, "run")
                Terminal.complain("\(known) from earlier runs; --afresh ignores them\n")
            }
            let watcher = ExploreWatcher()
            let result = try await exploration.run(telling: watcher.take) { memory.write($0) }
            watcher.clear()
            return finish(result, command.command, lost: memory.problem, reports)
        } catch {
            return Terminal.refuse(error.findings)
        }
    }

    private static func finish(
        _ result: ExploreResult,
        _ command: ClientCommand,
        lost: String?,
        _ reports: ReportOutput
    ) -> ExitCode {
        var lost = [lost, result.writeStories()].compactMap { $0 }
        let text = result.lines(command).map { $0 + "\n" }.joined()
        if reports.takesOutput {
            Terminal.complain(text)
        } else if !Terminal.output(text) {
            lost.append("writing to standard output failed; some results are lost")
        }
        for sentence in lost { Terminal.refuse(sentence) }
        let code = reports.write(result.report, isTold: true)
        if StopSignals.count > 0 { return .interrupted }
        guard lost.isEmpty, code != .misuse else { return .misuse }
        if !result.found.isEmpty { return .failed }
        return result.obstacle == nil ? .success : .misuse
    }
}

/// The saved state of an exploration for the next one with the same files, command and seed.
private struct ExploreMemory {
    private let path: String
    private let fingerprint: String
    private(set) var problem: String?

    init(_ path: String, _ base: ExploreBase, _ command: ClientCommand, _ seed: UInt64?) {
        self.path = path
        fingerprint = base.fingerprint([
            command.options.joined(separator: " "), command.shellLine, seed.map { "\($0)" } ?? "", BacklotVersion.text,
        ])
    }

    func read() -> [String: ExploreOutcome] {
        guard let bytes = try? DiskFiles().read(path), let root = try? JSONParser().parse(bytes).root,
            root["fingerprint"]?.string == fingerprint
        else { return [:] }
        var known: [String: ExploreOutcome] = [:]
        for member in root["runs"]?.object?.members ?? [] { known[member.name] = ExploreOutcome(member.value) }
        // That run is made again, to have what others are compared with.
        known[Perturbation(.ordinary, "", []).slug] = nil
        return known
    }

    mutating func write(_ result: ExploreResult) {
        var object = result.json
        object["fingerprint"] = .string(fingerprint)
        guard let reason = Terminal.writeFile(path, JSONValue.object(object).text(.pretty) + "\n", isNamed: false)
        else { return }
        problem = "\(path) cannot be written: \(reason)"
    }
}

/// Reports the progress of an exploration: on a terminal a line that is rewritten, elsewhere a line for each violation.
private struct ExploreWatcher {
    private let showsProgress = Terminal.rewritesLines

    func take(_ progress: Exploration.Progress) {
        switch progress {
        case .planned(let exchanges, let runs):
            if !showsProgress { Terminal.complain("\(plural(exchanges, "exchange")), \(plural(runs, "run"))\n") }
        case .ran(let perturbation, let outcome, let done, let total):
            let line = "\(done)/\(total)  \(perturbation.title): \(outcome.cell)".printable
            if showsProgress {
                Terminal.complain("\r\u{1B}[K" + String(line.prefix(76)))
            } else if !outcome.violations.isEmpty {
                Terminal.complain(line + "\n")
            }
        }
    }

    func clear() {
        if showsProgress { Terminal.complain("\r\u{1B}[K") }
    }
}
