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

    static let description = CommandDescription(
        "schema",
        "Print the JSON Schema of scenario files",
        examples: [
            "backlot schema > Scenarios/scenario.schema.json": "Write the schema for your editor",
            "backlot schema --of run": "Write the schema of the result of backlot run --json",
            "backlot schema --reference > Scenarios/README.md": "Write a reference for all keys",
        ],
        options: [command, reference]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        if let name = arguments[command] {
            guard !arguments[reference] else {
                throw arguments.misuse("--of and --reference cannot be combined; keep one")
            }
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
}
