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
        "Files and folders; Contracts and Scenarios of the project when there is none"
    )
    static let strict = Option(flag: "strict", "Let warnings fail as well")

    static let description = CommandDescription(
        "check",
        "Check contracts, scenarios and fixtures against each other",
        discussion: """
            Reads OpenAPI files, scenarios and their fixtures, and sends nothing anywhere. Every response of a scenario \
            is held against the contract that the scenario names; a violation is told with its place in the fixture \
            and in the contract. A response marked "breaks" may break it, and must.

            With --list-variants nothing is checked: it lists bodies for an operation's answers that only just obey \
            the contract, that the next version of the server may send, or that no server may. --write-variant writes \
            one of them as a fixture, so that a story can play it.

            Exits with 0 when everything held, with 1 when something did not, and with 2 when nothing was checked.
            """,
        examples: [
            "backlot check": "Check the whole project",
            "backlot check Scenarios/app --report junit=check.xml": "Check one backend, and tell the build server",
            "backlot check api.json --overlay fixes.yaml": "Check a contract as an overlay changes it",
            "backlot check --list-variants getMe": "List what a client must take, should take and must refuse",
            "backlot check --write-variant 'getMe 200 #7' --output me.json": "Keep one of them as a fixture",
        ],
        options: [strict, PlayOptions.overlay, ReportOutput.option] + VariantOptions.all,
        positionals: [paths],
        otherNames: ["lint", "doctor"]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        if let code = try VariantOptions.run(arguments, arguments[paths]) { return code }
        let output = try ReportOutput(arguments)
        var report: Report
        do {
            report = try Check(files: DiskFiles(), overlays: arguments[PlayOptions.overlay]).run(arguments[paths])
        } catch {
            throw arguments.misuse(error.sentence)
        }
        report.isStrict = arguments[strict]
        return output.write(report)
    }
}
