import CommandLineInterface
import ScenarioFormat

/// `backlot schema`: the JSON Schema of scenario files, for editors.
enum SchemaCommand {
    private static let reference = Option(flag: "reference", "Print the reference of the format in Markdown instead")

    static let description = CommandDescription(
        "schema",
        "Print the JSON Schema of scenario files",
        examples: [
            "backlot schema > Scenarios/scenario.schema.json": "Put it where your editor finds it",
            "backlot schema --reference > Scenarios/README.md": "Write down every key with its meaning",
        ],
        options: [reference]
    )

    static func run(_ arguments: ParsedArguments) -> ExitCode {
        Terminal.output(
            arguments[reference] ? ReferencePage.text : ShapeSchema.text
        )
        return .success
    }
}
