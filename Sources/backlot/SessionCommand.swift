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
                "items": ["type": "object", "required": ["collection", "added", "removed", "changed"]],
            ],
            "exchangeCount": ["type": "integer", "minimum": 0],
            "exchanges": [
                "type": "array", "items": ["type": "object", "required": ["number", "method", "target", "status"]],
            ],
        ]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let verb = arguments.command.dropFirst().first
        return try RunningServer(arguments).report { (server) throws(RunningServer.Problem) in
            switch verb {
            case "save", "restore":
                let body: JSONValue = .object([verb ?? "": .string(arguments[name])])
                let document = try server.call(.post, "checkpoints", body: body)
                return RunningServer.Answer(document: document, text: done(document))
            case "diff", "delete":
                let part = "checkpoints/\(PercentEncoding.encode(arguments[name]))"
                let document = try server.call(verb == "diff" ? .get : .delete, part)
                return RunningServer.Answer(document: document, text: verb == "diff" ? diff(document) : done(document))
            default:
                let document = try server.call(.get, "checkpoints")
                let lines = (document["checkpoints"]?.array ?? []).map { checkpoint in
                    "\(checkpoint["name"]?.string ?? "")  \(checkpoint["time"]?.string ?? "")\n"
                }
                let text = lines.isEmpty ? "No checkpoint is saved.\n" : lines.joined()
                return RunningServer.Answer(document: document, text: text)
            }
        }
    }

    private static func done(_ document: JSONValue) -> String {
        let verb = ["saved", "restored", "deleted"].first { document[$0] != nil } ?? ""
        let closed = [("closed", "closed"), ("ended", "ended as of the checkpoint")].compactMap { member, word in
            let numbers = (document[member]?.array ?? []).compactMap { $0.number?.text }
            return numbers.isEmpty ? nil : "\(word): exchanges \(numbers.joined(separator: ", "))\n"
        }
        return "\(verb) \(document[verb]?.string ?? "")\n" + closed.joined()
    }

    /// A line for each difference.
    private static func diff(_ document: JSONValue) -> String {
        func line(_ entry: JSONValue, _ kind: String, _ label: String) -> String {
            let values = ["saved", "now"].map { entry[$0].map { $0.string ?? $0.text(.compact) } ?? "missing" }
            return "\(kind) \(entry[label]?.string ?? "")  \(values.joined(separator: " → "))"
        }
        let time = ["saved", "now"].compactMap { document["time"]?[$0]?.string }.joined(separator: " → ")
        var lines = ["time  \(time)"]
        lines += (document["tokens"]?.array ?? []).map { line($0, "token", "id") }
        lines += (document["states"]?.array ?? []).map { line($0, "state", "name") }
        lines += (document["items"]?.array ?? []).map { entry in
            let counts = ["added", "removed", "changed"].map { "\(entry[$0]?.int ?? 0) \($0)" }
            let name = [entry["collection"]?.string, entry["account"]?.string].compactMap { $0 }.joined(
                separator: " of "
            )
            return "items \(name)  \(counts.joined(separator: ", "))"
        }
        lines.append("exchanges  \(document["exchangeCount"]?.int ?? 0)")
        lines += (document["exchanges"]?.array ?? []).map { exchange in
            let words = [exchange["method"]?.string, exchange["target"]?.string, exchange["status"]?.number?.text]
            return "  #\(exchange["number"]?.int ?? 0)  \(words.compactMap { $0 }.joined(separator: "  "))"
        }
        return lines.map { $0.printable + "\n" }.joined()
    }
}
