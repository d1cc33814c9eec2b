import Basics
import CommandLineInterface
import JSON
import ScenarioFormat

/// `backlot schema`: the JSON Schema of scenario files, for editors.
enum SchemaCommand {
    private static let command = Option(
        "of",
        "COMMAND",
        ValueKind<String>(
            expected: "a command such as run"
        ) { $0.isEmpty ? nil : $0 },
        "Print the JSON Schema of the result that a command prints with --json"
    )
    private static let reference = Option(flag: "reference", "Print a reference for the format in Markdown instead")
    private static let issuer = Option(
        "issuer",
        "FILE",
        .file(endings: TextFormat.endings),
        "Print the tokens, routes and guards that the issuer of a scenario defines, to copy or to change"
    )

    static let description = CommandDescription(
        "schema",
        "Print the JSON Schema of scenario files",
        examples: [
            "backlot schema > Scenarios/scenario.schema.json": "Write the schema for your editor",
            "backlot schema --of run": "Write the schema of the result of backlot run --json",
            "backlot schema --reference > Scenarios/README.md": "Write a reference for all keys",
            "backlot schema --issuer Scenarios/app/backend.json": "Show the definitions of an issuer",
        ],
        options: [command, reference, issuer]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let names = [
            ("--of", arguments[command] != nil), ("--reference", arguments[reference]),
            ("--issuer", arguments[issuer] != nil),
        ].filter(\.1).map(\.0)
        guard names.count < 2 else {
            throw arguments.misuse("\(names.joined(separator: " and ")) cannot be combined; keep one")
        }
        if let path = arguments[issuer] { return try definitions(of: path, arguments) }
        if let name = arguments[command] {
            let commands = Backlot.resultingCommands
            guard let command = commands.first(where: { $0.name.exact == name.exact }) else {
                let advice = Suggestion.advice(for: name, among: commands.map(\.name)) ?? ""
                throw arguments.misuse("there is no command \"\(name.printable)\"; \(advice)")
            }
            return Terminal.output(CommandResult.schema(of: command).text(.pretty) + "\n") ? .success : .misuse
        }
        Terminal.output(
            arguments[reference] ? ReferencePage.text : ShapeSchema.text
        )
        return .success
    }

    private static func definitions(of path: String, _ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let files = DiskFiles()
        guard let project = ProjectRoot(enclosing: path, files: files) else {
            throw arguments.misuse(FileProblem.missing.sentence(about: path))
        }
        let definitions: JSONValue?
        do {
            definitions = try ScenarioLoader(files: files, project: project).issuerDefinitions(of: path)
        } catch {
            return Terminal.refuse(error.findings)
        }
        guard let definitions else {
            throw arguments.misuse("\(path.printable) has no \"issuer\"; name a scenario that has one")
        }
        return Terminal.output(definitions.text(.pretty) + "\n") ? .success : .misuse
    }
}
