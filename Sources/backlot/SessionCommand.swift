import Basics
import CommandLineInterface
import HTTPCodec
import JSON

/// `backlot session`: saves the state of a running server's session, compares it with the current state, and restores it.
enum SessionCommand {
    private static let name = Positional("NAME", .text("a checkpoint's name"), "The name of the checkpoint")

    static let description = CommandDescription(
        "session",
        "Save, compare and restore the state of a running server's session",
        discussion: """
            A checkpoint contains the clock, tokens, items, states and journal. The state continues from the time of the \
            checkpoint when it is restored; open streams are closed and listed. Without a subcommand, lists the checkpoints.
            """,
        examples: [
            "backlot session save before": "Save the current state",
            "backlot session diff before": "Show what has changed since",
            "backlot session restore before": "Restore the state",
        ],
        options: RunningServer.options,
        subcommands: [
            CommandDescription("save", "Save the current state", positionals: [name]),
            CommandDescription("diff", "Show what has changed since a checkpoint", positionals: [name]),
            CommandDescription("restore", "Restore a checkpoint", positionals: [name]),
            CommandDescription("delete", "Delete a checkpoint", positionals: [name]),
        ],
        runsAlone: true,
        otherNames: ["checkpoint", "snapshot", "rewind"],
        result: [
            "checkpoints": ["type": "array", "items": ["type": "object", "required": ["name", "time"]]],
            "saved": ["type": "string"], "restored": ["type": "string"], "deleted": ["type": "string"],
            "closed": ["type": "array", "items": ["type": "integer"]],
            "ended": ["type": "array", "items": ["type": "integer"]],
            "checkpoint": ["type": "string"], "time": ["type": ["string", "object"]],
            "tokens": ["type": "array", "items": ["type": "object", "required": ["id"]]],
            "states": ["type": "array", "items": ["type": "object", "required": ["name"]]],
            "items": [
                "type": "array",
                "items": ["type": "object", "required": ["name", "added", "removed", "changed"]],
            ],
            "exchangeCount": ["type": "integer", "minimum": 0],
            "exchanges": [
                "type": "array", "items": ["type": "object", "required": ["number", "method", "target", "status"]],
            ],
        ]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        try RunningServer(arguments).report { (server) throws(RunningServer.Problem) in
            let document: JSONValue
            switch arguments.command.dropFirst().first {
            case "save": document = try server.call(.post, "checkpoints", body: ["save": .string(arguments[name])])
            case "restore":
                document = try server.call(.post, "checkpoints", body: ["restore": .string(arguments[name])])
            case "diff": document = try server.call(.get, part(arguments))
            case "delete": document = try server.call(.delete, part(arguments))
            default: document = try server.call(.get, "checkpoints")
            }
            return RunningServer.Answer(document: document, text: document.outline)
        }
    }

    private static func part(_ arguments: ParsedArguments) -> String {
        "checkpoints/\(PercentEncoding.encode(arguments[name]))"
    }
}
