import CommandLineInterface
import Guides

/// The command `backlot`: reads the command line, calls one function, and chooses the exit code.
@main
enum Backlot {
    static let description = CommandDescription(
        "backlot",
        "A scriptable stand-in for an app's backend",
        discussion: """
            Plays scenarios over HTTP on loopback: fixtures, tokens that really expire, latency and faults, all on a \
            clock that you move. Two weeks pass in a millisecond. It also starts a client of any kind against stories, \
            and says in a sentence what that did wrong.
            """,
        examples: [
            "backlot serve Scenarios/app": "Serve a backend, and list its stories",
            "backlot serve Scenarios/app/refresh-expired.json": "Play one story",
            "backlot clock advance 15d": "Let two weeks pass on the running server",
            "backlot run Scenarios/app -- python3 client.py {url}": "Judge a client by every story",
        ],
        subcommands: [
            ServeCommand.description, RunCommand.description, CheckCommand.description, TestOptions.description,
            VerifyCommand.description,
            ValidateCommand.description, InitCommand.description, StoriesCommand.description,
            ClockCommand.description, TokensCommand.description, JournalCommand.description,
            VerdictCommand.description, ReportCommand.description,
            SchemaCommand.description, CompletionsCommand.description,
        ],
        version: BacklotVersion.text,
        topics: Guide.all.map { guide in
            HelpTopic(guide.name, guide.abstract) { guide.text(columns: Terminal.columns) }
        }
    )

    static func main() async {
        Terminal.openStandardStreams()
        let code = await run(Terminal.arguments, environment: Terminal.environment)
        Terminal.exit(code)
    }

    private static func run(_ words: [String], environment: [String: String]) async -> ExitCode {
        do throws(UsageError) {
            switch try description.parse(words, environment: environment) {
            case .help(let text), .version(let text):
                Terminal.output(text)
                return .success
            case .command(let arguments): return try await run(arguments)
            }
        } catch {
            Terminal.complain(error.text)
            return error.exitCode
        }
    }

    private static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
        switch arguments.command.first {
        case "run": try await RunCommand.run(arguments)
        case "serve": try await ServeCommand.run(arguments)
        case "check": try CheckCommand.run(arguments)
        case "clock": ClockCommand.run(arguments)
        case "tokens": TokensCommand.run(arguments)
        case "journal": JournalCommand.run(arguments)
        case "init": InitCommand.run(arguments)
        case "report": try ReportCommand.run(arguments)
        case "schema": SchemaCommand.run(arguments)
        case "test": try TestCommand.run(arguments)
        case "stories": try StoriesCommand.run(arguments)
        case "validate": try ValidateCommand.run(arguments)
        case "verdict": VerdictCommand.run(arguments)
        case "verify": try await VerifyCommand.run(arguments)
        default: CompletionsCommand.run(arguments)
        }
    }
}
