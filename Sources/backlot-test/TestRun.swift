import ClientRegistration
import CommandLineArguments
import Console
import ContractRunner
import Findings
import ProjectFiles
import Reports

/// One run of `backlot test`.
struct TestRun {
    private let output: ReportOutput
    private let clients: [any ClientAdapter]
    private let test: ClientTest
    private let showsCoverage: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        output = try ReportOutput(arguments)
        clients = try Self.clients(arguments)
        guard let project = ProjectRoot(".", files: DiskFiles()) else {
            throw arguments.misuse("the current folder cannot be read")
        }
        var test = ClientTest(in: project)
        test.operations = arguments[TestOptions.operations]
        test.stories = arguments[TestOptions.stories]
        let parts = arguments[TestOptions.checks].compactMap(ClientTest.Part.init)
        test.findings = arguments[TestOptions.checks].filter { ClientTest.Part(rawValue: $0) == nil }
        if !parts.isEmpty { test.parts = ClientTest.Part.allCases.filter(parts.contains) }
        test.schedules = arguments[TestOptions.schedules]
        test.seed = arguments[TestOptions.seed].map { UInt64($0) }
        if let jobs = arguments[TestOptions.jobs] { test.jobs = jobs }
        test.isInterrupted = { StopSignals.count > 0 }
        self.test = test
        showsCoverage = arguments[TestOptions.isCovered]
    }

    private static func clients(_ arguments: ParsedArguments) throws(UsageError) -> [any ClientAdapter] {
        let all = RegisteredClients.all
        let names = arguments[TestOptions.apps].map { $0.lowercased() }
        guard !names.isEmpty else { return all }
        let known = all.map { $0.name.lowercased() }
        for name in names where !known.contains(name) {
            let advice = Suggestion.nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
            throw arguments.misuse(
                "no client is called \"\(name)\"; there are \(known.joined(separator: ", "))\(advice)"
            )
        }
        return all.filter { names.contains($0.name.lowercased()) }
    }

    func run() async -> ExitCode {
        StopSignals.hold()
        let watcher = TestWatcher(
            notes: UnderWay(Terminal.environment[UnderWay.variable]),
            isOutputTaken: output.takesOutput
        )
        var report = await test.run(clients) { watcher.take($0) }
        watcher.finish()
        report.listsClients = showsCoverage
        let code = output.write(report)
        return StopSignals.count > 0 ? .interrupted : code
    }
}
