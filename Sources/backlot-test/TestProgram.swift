import Basics
import ClientRegistration
import ClientTesting
import CommandLineInterface
import Reports

/// The program behind `backlot test`, with the same words on its command line.
@main
enum TestProgram {
    private static let description = CommandDescription(
        "backlot",
        "The part of backlot that tests client services",
        subcommands: [TestOptions.description],
        version: BacklotVersion.text,
        printsResults: true
    )

    static func main() async {
        Terminal.openStandardStreams()
        let code = await description.run { arguments async throws(UsageError) in try await TestRun(arguments).run() }
        ProgressFile.clear(Terminal.environment[ProgressFile.variable])
        Terminal.exit(code)
    }
}

/// One run of `backlot test`.
struct TestRun {
    private let arguments: ParsedArguments
    private let output: ReportOutput
    private let clients: [any ClientAdapter]
    private let test: ClientTest
    /// The tests of clients that have ended the process before this one.
    private let ended = EndedTest.list(Terminal.environment[EndedTest.variable])

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        try TestOptions.check(arguments)
        output = try ReportOutput(arguments)
        guard let project = ProjectRoot(".", files: DiskFiles()) else {
            throw arguments.misuse("the current folder cannot be read")
        }
        var test = ClientTest(in: project)
        do throws(TestChoiceProblem) {
            clients = try RegisteredClients.all.named(arguments[TestOptions.apps])
            test.checks = try WantedChecks(arguments[TestOptions.checks])
        } catch {
            throw arguments.misuse(error.sentence)
        }
        test.operations = arguments[TestOptions.operations]
        test.stories = arguments[StoryOptions.only]
        test.schedules = arguments[TestOptions.schedules]
        test.seed = arguments[StoryOptions.seed].map { UInt64($0) }
        test.jobs = arguments[TestOptions.jobs]
        test.isInterrupted = { StopSignals.count > 0 }
        self.test = test
    }

    func run() async throws(UsageError) -> ExitCode {
        StopSignals.hold()
        let watcher = TestWatcher(
            notes: ProgressFile(Terminal.environment[ProgressFile.variable]),
            isOutputTaken: output.takesOutput
        )
        var report: Report
        let others = clients.filter { client in !ended.contains { $0.isTest(of: client.name) } }
        do throws(TestChoiceProblem) {
            report = try await test.run(others) { watcher.take($0) }
        } catch {
            guard !ended.isEmpty else { throw arguments.misuse(error.sentence) }
            // What was selected is only in clients that have ended their process.
            report = Report(title: "test")
        }
        report.findings += ended.map(\.finding)
        watcher.finish()
        report.listsClients = arguments[TestOptions.isCovered]
        let code = output.write(report)
        return StopSignals.count > 0 ? .interrupted : code
    }
}

/// Reports the progress of a test: a line for each part, and on a terminal one that is rewritten.
final class TestWatcher: Sendable {
    private let notes: ProgressFile
    private let isOutputTaken: Bool
    private let paint: Paint
    private let showsProgress = Terminal.rewritesLines
    private let begun = Lock(0)

    init(notes: ProgressFile, isOutputTaken: Bool) {
        self.notes = notes
        self.isOutputTaken = isOutputTaken
        paint = Paint(isColoured: isOutputTaken ? Terminal.showsColours : Terminal.showsColoursOnOutput)
    }

    func take(_ progress: ClientTest.Progress) {
        switch progress {
        case .began(let what):
            notes.note(what)
            let number = begun.withLock { begun in
                begun += 1
                return begun
            }
            // Thousands of calls are made in a second; no reader follows that many lines.
            guard showsProgress, number.isMultiple(of: 32) else { return }
            Terminal.complain("\r\u{1B}[K" + String("\(number)  \(what)".printable.prefix(76)))
        case .finished(let client, let part, let summary, let failures, let duration):
            finish()
            let end = failures == 0 ? paint(.green, "ok") : paint(.red, plural(failures, "failure"))
            let line = "\(client.printable) \(part.rawValue): \(summary)"
            if isOutputTaken || showsProgress {
                let seconds = (duration / .milliseconds(10)).rounded() / 100
                let timed = "\(line) in \(seconds) s, \(end)\n"
                if isOutputTaken { Terminal.complain(timed) } else { Terminal.output(timed) }
            } else {
                // What is kept of a run is the same in each.
                Terminal.output("\(line), \(end)\n")
            }
        }
    }

    /// Clears the line that is rewritten.
    func finish() {
        if showsProgress { Terminal.complain("\r\u{1B}[K") }
    }
}
