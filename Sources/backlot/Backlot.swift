import Basics
import Checking
import CommandLineInterface
import Guides
import JSON
import OpenAPI
import Proxying
import ScenarioFormat
import Simulation
import StoryRunning
import StubServing

/// The command `backlot`: reads the command line, calls one function, and chooses the exit code.
@main
enum Backlot {
    static let description = CommandDescription(
        "backlot",
        "A mock backend with real token lifecycles",
        discussion: """
            Serves scenarios over HTTP on loopback: fixtures, tokens that expire, latency and faults, all on a clock that you \
            control. Two weeks pass in a millisecond. Also runs any client against stories and reports the client's mistakes.
            """,
        examples: [
            "backlot serve Scenarios/app": "Serve a backend and list its stories",
            "backlot serve Scenarios/app/refresh-expired.json": "Play one story",
            "backlot clock advance 15d": "Advance the running server by two weeks",
            "backlot run Scenarios/app -- python3 client.py {url}": "Judge a client with every story",
        ],
        subcommands: [
            ServeCommand.description, ProxyCommand.description, RunCommand.description, ExploreCommand.description,
            CheckCommand.description,
            TestOptions.description,
            VerifyCommand.description,
            ValidateCommand.description, InitCommand.description, StoriesCommand.description,
            ClockCommand.description, TokensCommand.description, FaultCommand.description,
            JournalCommand.description,
            SessionCommand.description,
            VerdictCommand.description, ReportCommand.description, AutopsyCommand.description,
            ExplainCommand.description, ProveCommand.description, MCPCommand.description,
            SkillCommand.description,
            ImportCommand.description, CertificateCommand.description,
            SchemaCommand.description, CompletionsCommand.description,
        ],
        version: BacklotVersion.text,
        topics: Guide.all.map { guide in
            HelpTopic(guide.name, guide.abstract, keywords: guide.keywords) { guide.text(columns: Terminal.columns) }
        } + [
            HelpTopic("findings", "The IDs and severities of all findings", keywords: ["errors", "ids"]) {
                FindingKind.text
            },
            HelpTopic("exit-codes", "The exit codes of all commands", keywords: ["status"]) { ExitCode.table },
        ],
        printsResults: true
    )

    /// The commands that print a result with `--json`; their subcommands print results of the same kind.
    static var resultingCommands: [CommandDescription] { CommandPath(description).command.subcommands }

    static func main() async {
        Terminal.openStandardStreams()
        Terminal.exit(await description.run(run))
    }

    private static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
        switch arguments.command.first {
        case "run": try await RunCommand.run(arguments)
        case "explore": try await ExploreCommand.run(arguments)
        case "serve": try await ServeCommand.run(arguments)
        case "proxy": try await ProxyCommand.run(arguments)
        case "check": try CheckCommand.run(arguments)
        case "clock": try ClockCommand.run(arguments)
        case "fault": try FaultCommand.run(arguments)
        case "tokens": try TokensCommand.run(arguments)
        case "journal": try JournalCommand.run(arguments)
        case "init": InitCommand.run(arguments)
        case "import": try ImportCommand.run(arguments)
        case "certificate": try CertificateCommand.run(arguments)
        case "autopsy": try AutopsyCommand.run(arguments)
        case "session": try SessionCommand.run(arguments)
        case "report": try ReportCommand.run(arguments)
        case "skill": SkillCommand.run(arguments)
        case "mcp": try MCPCommand.run(arguments)
        case "prove": try ProveCommand.run(arguments)
        case "explain": try ExplainCommand.run(arguments)
        case "schema": try SchemaCommand.run(arguments)
        case "test": try TestCommand.run(arguments)
        case "stories": try StoriesCommand.run(arguments)
        case "validate": try ValidateCommand.run(arguments)
        case "verdict": try VerdictCommand.run(arguments)
        case "verify": try await VerifyCommand.run(arguments)
        default: CompletionsCommand.run(arguments)
        }
    }
}

/// The options of all commands that serve scenarios.
enum PlayOptions {
    static let overlay = Option(
        repeated: "overlay",
        "FILE",
        .file(endings: TextFormat.endings),
        "Apply an OpenAPI Overlay to the contract; repeat the option to apply several in order"
    )
    static let map = Option(
        repeated: "map",
        "URL=PATH",
        ValueKind<URLMapping>(expected: "a URL, \"=\" and a path", write: { "\($0.url)=\($0.path)" }) {
            URLMapping($0)
        },
        "Read a file instead of a URL to which a contract refers, or a folder instead of a URL that ends with a slash"
    )
    static let contract = Option(
        "contract",
        "MODE",
        ValueKind<ContractMode>(expected: "warn, enforce or off") { ContractMode(rawValue: $0) },
        "The handling of contract violations; by default, warn"
    )
    static let refusalHold = Option(
        "hold-refusals",
        "DURATION",
        ValueKind<Duration>(expected: "a duration such as 80ms, or 0s", write: DurationText.text) { text in
            DurationText.parse(text == "0" ? "0s" : text)
        },
        "The real time for which token refusals, refresh responses and failures with Retry-After are held; "
            + "by default, 50ms; 0 disables the hold"
    )

    /// A configuration as these options say.
    static func configuration(_ arguments: ParsedArguments) -> StubServer.Configuration {
        var configuration = StubServer.Configuration.readingContracts
        configuration.contract = arguments[contract]
        configuration.overlays = arguments[overlay]
        configuration.contractReader = OpenAPIReader(mappings: arguments[map])
        var trust = ServerTrust()
        trust.environment = Terminal.environment
        configuration.forwarder = Forwarder(trust: trust)
        configuration.refusalHold = arguments[refusalHold]
        configuration.usualRefusalHold = StubServer.Configuration.judgingRefusalHold
        return configuration
    }
}

/// The options of `backlot check` that show what a contract allows, instead of checking anything.
enum VariantOptions {
    private static let list = Option(
        "list-variants",
        "OPERATION",
        .text("an operationId"),
        "List response body variants at the limits of the contract"
    )
    private static let write = Option(
        "write-variant",
        "VARIANT",
        .text("an operation, a status, and a number or label"),
        "Write one variant as a fixture: 'getMe 200 #7'"
    )
    private static let file = Option("output", "FILE", .file(endings: ["json"]), "The file for --write-variant")
    private static let force = Option(flag: "force", "Allow --write-variant to overwrite an existing file")

    static let all: [any OptionDeclaring] = [list, write, file, force]

    /// Does what was asked for; `nil` when neither was.
    static func run(_ arguments: ParsedArguments, _ paths: [String]) throws(UsageError) -> ExitCode? {
        let (listed, written) = (arguments[list], arguments[write])
        if listed != nil, written != nil {
            throw arguments.misuse("--list-variants and --write-variant cannot be combined; keep one")
        }
        if arguments[file] != nil, written == nil {
            throw arguments.misuse("--output requires --write-variant VARIANT")
        }
        if arguments[force], arguments[file] == nil { throw arguments.misuse("--force requires --output FILE") }
        guard listed != nil || written != nil else { return nil }
        for option in [
            CheckCommand.strict.declaration, CheckCommand.since.declaration, ReportOutput.option.declaration,
        ]
        where arguments.origin(of: option) != nil {
            throw arguments.misuse("--\(option.name) has no effect without a check; remove the option")
        }
        do {
            let catalog = try VariantCatalog(paths, files: DiskFiles())
            if let listed { show(try catalog.variants(of: listed)) }
            if let written {
                return write(try catalog.variant(written), to: arguments[file], overwriting: arguments[force])
            }
        } catch {
            throw arguments.misuse(error.sentence)
        }
        return .success
    }

    private static func show(_ variants: [NumberedVariant]) {
        let width = variants.map(\.name.count).max() ?? 0
        for variant in variants {
            let name = variant.name + String(repeating: " ", count: width - variant.name.count)
            let kind = variant.kind
            let padding = String(repeating: " ", count: 9 - kind.count)
            Terminal.output("\(name.printable)  \(kind)\(padding)  \(variant.label.printable)\n")
        }
    }

    private static func write(_ variant: NumberedVariant, to file: String?, overwriting: Bool) -> ExitCode {
        let text = String(decoding: variant.fixture, as: UTF8.self)
        guard let file else {
            Terminal.output(text)
            return .success
        }
        let files = DiskFiles()
        if !overwriting, files.resolve(file) != nil, !files.isFolder(file) {
            return Terminal.refuse(
                "\"\(file)\" already exists; choose another file, or add --force to overwrite it"
            )
        }
        if let problem = Terminal.writeFile(file, text) {
            return Terminal.refuse("\"\(file)\" cannot be written: \(problem)")
        }
        Terminal.output("\(variant.name.printable), \(variant.label.printable): \(file.printable)\n")
        return .success
    }
}
