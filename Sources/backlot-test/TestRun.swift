import Basics
import ClientRegistration
import ClientTesting
import CommandLineInterface
import Reports

/// One run of `backlot test`.
struct TestRun {
    private let arguments: ParsedArguments
    private let output: ReportOutput
    private let clients: [any ClientAdapter]
    private let test: ClientTest

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
        do throws(TestChoiceProblem) {
            report = try await test.run(clients) { watcher.take($0) }
        } catch {
            throw arguments.misuse(error.sentence)
        }
        watcher.finish()
        report.listsClients = arguments[TestOptions.isCovered]
        let code = output.write(report)
        return StopSignals.count > 0 ? .interrupted : code
    }
}
