import Basics
import Checking
import CommandLineInterface
import JSON
import Reports

/// `backlot check`: checks contracts, scenarios and fixtures against each other.
enum CheckCommand {
    private static let paths = Positional(
        variadic: "PATH",
        .file(endings: TextFormat.endings, orFolder: true),
        "Files and folders; by default, the project's Contracts and Scenarios"
    )
    static let strict = Option(flag: "strict", "Fail on warnings as well")

    static let since = Option(
        "since",
        "REV",
        .text("a git revision, or a file"),
        "Compare the contracts with a revision or FILE and list changes that can break a client"
    )

    static let description = CommandDescription(
        "check",
        "Check contracts, scenarios and fixtures against each other",
        discussion: """
            Reads OpenAPI files, scenarios and their fixtures, without sending requests. Every response in a scenario \
            is checked against the scenario's contract; a violation is reported with its locations in the fixture and in \
            the contract. A response marked "breaks" must violate the contract.

            --list-variants does not check anything. It lists response bodies of an operation that are valid at the \
            limits of the schema, that the next version of the server may send, or that are invalid. --write-variant \
            writes one of these bodies as a fixture for a story.

            --since only compares the contracts with an earlier revision. It lists each change, the change's location, \
            and whether the change can break a client of the earlier revision. A breaking change is an error; a change \
            that depends on the client or cannot be decided is a warning; any other change is a note.

            Exits with 0 when all checks passed, with 1 when a check failed, and with 2 when nothing was checked.
            """,
        examples: [
            "backlot check": "Check the whole project",
            "backlot check Scenarios/app --report junit=check.xml":
                "Check one backend, with a report for the build server",
            "backlot check api.json --overlay fixes.yaml": "Check a contract with an overlay",
            "backlot check --since main": "List contract changes on this branch, and mark changes that break clients",
            "backlot check --list-variants getMe":
                "List bodies that a client must accept, should accept or must reject",
            "backlot check --write-variant 'getMe 200 #7' --output me.json": "Save one of these bodies as a fixture",
        ],
        options: [strict, since, PlayOptions.overlay, PlayOptions.map, ReportOutput.option] + VariantOptions.all,
        positionals: [paths],
        otherNames: ["lint", "doctor"],
        result: ReportOutput.result
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        if let code = try VariantOptions.run(arguments, arguments[paths]) { return code }
        let output = try ReportOutput(arguments)
        var report: Report
        do {
            let overlays = arguments[PlayOptions.overlay]
            if let since = arguments[since] {
                guard overlays.isEmpty, arguments[PlayOptions.map].isEmpty else {
                    throw arguments.misuse("--since compares contracts as they are; remove --overlay and --map")
                }
                let earlier = try earlierRevision(since, for: arguments[paths])
                report = try ChangeCheck(files: DiskFiles(), since: earlier).run(arguments[paths])
            } else {
                report = try Check(files: DiskFiles(), overlays: overlays, mappings: arguments[PlayOptions.map])
                    .run(arguments[paths])
            }
        } catch let problem as CheckProblem {
            throw arguments.misuse(problem.sentence)
        } catch let problem as GitProblem {
            throw arguments.misuse(problem.sentence)
        } catch {
            throw arguments.misuse("\(error)")
        }
        report.isStrict = arguments[strict]
        return output.write(report)
    }

    /// A file that is there, or else a revision of the repository around the first path.
    private static func earlierRevision(
        _ text: String,
        for paths: [String]
    ) throws(GitProblem) -> EarlierRevision {
        let files = DiskFiles()
        let folder = paths.first.map { files.isFolder($0) ? $0 : FilePath.folder(of: $0) } ?? "."
        return try EarlierRevision(text, around: folder, scratch: Terminal.temporaryFolder)
    }
}
