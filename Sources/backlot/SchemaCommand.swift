import CommandLineInterface
import JSON
import ScenarioFormat

/// `backlot schema`: the JSON Schema of scenario files, for editors.
enum SchemaCommand {
    static let description = CommandDescription(
        "schema",
        "Print the JSON Schema of scenario files",
        examples: ["backlot schema > Scenarios/scenario.schema.json": "Put it where your editor finds it"]
    )

    static func run() -> ExitCode {
        Terminal.output(ShapeSchema.document.text(.pretty) + "\n")
        return .success
    }
}
