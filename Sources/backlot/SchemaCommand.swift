import CommandLineInterface
import ScenarioFormat

/// `backlot schema`: the JSON Schema of scenario files, for editors.
enum SchemaCommand {
    private static let reference = Option(flag: "reference", "Print a reference for the format in Markdown instead")

    static let description = CommandDescription(
        "schema",
        "Print the JSON Schema of scenario files",
        examples: [
            "backlot schema > Scenarios/scenario.schema.json": "Write the schema for your editor",
            "backlot schema --reference > Scenarios/README.md": "Write a reference for all keys",
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
