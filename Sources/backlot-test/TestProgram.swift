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
        version: BacklotVersion.text
    )

    static func main() async {
        Terminal.openStandardStreams()
        let code = await run()
        ProgressFile.clear(Terminal.environment[ProgressFile.variable])
        Terminal.exit(code)
    }

    private static func run() async -> ExitCode {
        do throws(UsageError) {
            switch try description.parse(Terminal.arguments, environment: Terminal.environment) {
            case .help(let text), .version(let text):
                Terminal.output(text)
                return .success
            case .command(let arguments): return try await TestRun(arguments).run()
            }
        } catch {
            Terminal.complain(error.text)
            return error.exitCode
        }
    }
}
