import Basics
import JSON

/// A tool of the MCP server: a command of the command line, with the same words and the same result.
struct ModelContextTool: Sendable {
    /// A value of a call.
    struct Argument: Sendable {
        enum Kind: String, Sendable {
            case text
            /// A file or folder in the project.
            case path
            case integer
            case flag
            /// The name of a client in the configuration.
            case client
            case choice
            case texts
            case paths
        }

        let name: String
        let kind: Kind
        /// The words of a choice.
        var choices: [String] = []
        let about: String
        var isRequired = false
        /// The option of the command; `nil` for a positional argument, and for what the server reads itself.
        var option: String?
    }

    let name: String
    let about: String
    var arguments: [Argument]
    /// A Boolean value that indicates whether it needs the server that `serve` has started.
    var needsServer = false
    /// A Boolean value that indicates whether the result is small unless all of it is asked for.
    var hasDetail = false
    /// A Boolean value that indicates whether it changes nothing, neither files nor a server.
    var isReadOnly = false

    /// The JSON Schema of the arguments.
    var inputSchema: JSONValue {
        var properties = JSONObject()
        for argument in allArguments {
            var schema: JSONObject = ["description": .string(argument.about)]
            switch argument.kind {
            case .text, .path, .client: schema["type"] = "string"
            case .integer: (schema["type"], schema["minimum"]) = ("integer", argument.name == "seed" ? 0 : 1)
            case .flag: schema["type"] = "boolean"
            case .choice: schema["enum"] = .array(argument.choices.map(JSONValue.string))
            case .texts, .paths:
                (schema["type"], schema["items"], schema["minItems"]) = ("array", ["type": "string"], 1)
            }
            properties[argument.name] = .object(schema)
        }
        return [
            "type": "object",
            "properties": .object(properties),
            "required": .array(allArguments.filter(\.isRequired).map { .string($0.name) }),
            "additionalProperties": false,
        ]
    }

    private var allArguments: [Argument] {
        arguments
            + (hasDetail
                ? [Argument(name: "detail", kind: .flag, about: "Everything, without a size limit", option: "--detail")]
                : [])
    }

    /// The tool for `tools/list`.
    var json: JSONValue {
        [
            "name": .string(name), "description": .string(about), "inputSchema": inputSchema,
            "annotations": ["readOnlyHint": .bool(isReadOnly), "openWorldHint": false],
        ]
    }

    /// The words of the command line for a call.
    ///
    /// - Parameters:
    ///   - values: arguments that ``inputSchema`` accepts.
    ///   - clients: the configured commands by name.
    ///   - resolve: the path of a file in the project.
    /// - Throws: ``ToolProblem`` for a path outside the project and for an unknown client.
    func words(
        _ values: JSONObject,
        clients: [String: String],
        url: String?,
        resolve: (String) throws(ToolProblem) -> String
    ) throws(ToolProblem) -> [String] {
        var (words, positionals, passthrough): ([String], [String], [String]) = ([], [], [])
        for argument in allArguments {
            guard let value = values[argument.name] else { continue }
            var texts: [String]
            switch argument.kind {
            case .flag:
                if value.bool == true, let option = argument.option { words.append(option) }
                continue
            case .integer: texts = [value.int.map(String.init) ?? value.number?.text ?? ""]
            case .texts, .paths: texts = (value.array ?? []).compactMap(\.string)
            case .text, .path, .choice: texts = [value.string ?? ""]
            case .client:
                let name = value.string ?? ""
                guard let command = clients[name] else {
                    let known = clients.keys.sorted().joined(lastBy: "or")
                    throw ToolProblem(
                        sentence: "the client \"\(name.printable)\" is not configured; "
                            + (known.isEmpty ? "start backlot mcp with --client NAME=COMMAND" : "use \(known)")
                    )
                }
                passthrough = ["--", "/bin/sh", "-c", command]
                continue
            }
            switch argument.kind {
            case .path, .paths: for index in texts.indices { texts[index] = try resolve(texts[index]) }
            default: break
            }
            // A value that looks like an option would be taken for one.
            if let text = texts.first(where: { $0.utf8.first == UInt8(ascii: "-") }) {
                throw ToolProblem(sentence: "\(argument.name) cannot begin with a hyphen: \"\(text.printable)\"")
            }
            if let option = argument.option {
                for text in texts { words += [option, text] }
            } else {
                positionals += texts
            }
        }
        if needsServer, let url { words += ["--url", url] }
        return [name == "advance" ? "clock" : name] + (name == "advance" ? ["advance"] : []) + positionals + words
            + ["--json"] + passthrough
    }
}

/// The reason why a tool cannot do what a call asks for.
struct ToolProblem: Error {
    /// A sentence without a closing full stop.
    var sentence: String
}

extension ModelContextTool {
    /// Every tool.
    static let all: [ModelContextTool] = {
        var tools: [ModelContextTool] = []
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
            let about = parts[1].joined(separator: " ")
            if line.utf8.first == UInt8(ascii: " ") {
                tools[tools.count - 1].arguments.append(Argument(parts[0], about))
            } else {
                tools.append(ModelContextTool(parts[0], about))
            }
        }
        return tools
    }()

    /// - Parameter words: the name, then `server`, `detail` and `readOnly` where they apply.
    private init(_ words: [String], _ about: String) {
        self.init(
            name: words[0],
            about: about,
            arguments: [],
            needsServer: words.contains("server"),
            hasDetail: words.contains("detail"),
            isReadOnly: words.contains("readOnly")
        )
    }

    // A line for each tool; below it, one for each argument: name, `!` if required, kind or choices, option; description.
    private static let table = """
        serve | Start a mock server for a backend or a story on a free port of this machine. Only one runs at a time.
          scenario ! path | A backend, a story, or a folder
          story text --story | The ID of a story in the folder
          clock text --clock | A time, frozen, automatic or 60x
        stop | Stop the server, and return the findings about its clients.
        advance server | Advance the server's clock, so that tokens expire and timed events happen.
          duration ! text | A duration such as 2h or 15d
        tokens server | List the tokens of every device, or change them.
          action issue,expire,revoke,forget | The change; requires kind
          kind text | The kind of token, or *
          device text --device | Only this device
        journal server readOnly | Read the exchanges that the server recorded.
          exchange integer --exchange | Only the exchange with this number
          limit integer --limit | The number of newest exchanges
          route text --route | Only this route
          status integer --status | Only this status
        verdict server readOnly | Judge the server's client by the story's expectations and the token rules.
        session server | Save, compare or restore the server's state: clock, tokens, items, states and journal.
          action ! save,diff,restore,delete | The action
          name ! text | The name of the checkpoint
        run detail | Run a configured client with stories, and judge its requests.
          stories ! paths | Story files, or folders with stories
          client ! client | The name of a client command in the server's configuration
          seed integer --seed | The seed for all random choices
          timeLimit text --time-limit | The time limit of each launch of the client, such as 5m
        explore detail | Run a configured client repeatedly with one fault per run, to find token bugs without a story.
          base ! path | A backend or a story
          client ! client | The name of a client command in the server's configuration
          budget text --budget | The time limit of all runs together, such as 60s
          timeLimit text --time-limit | The time limit of each launch of the client, such as 5m
        check detail readOnly | Compare contracts, scenarios and fixtures with each other, without a server.
          paths paths | Files or folders; by default, the whole project
        explain readOnly | Explain rules (B2), findings (expect/count), keys of the format (requires) or exit codes (1).
          ids ! texts | The IDs
        prove | Prove that a revision of a client fixes a bug: every story fails before and passes after.
          stories ! paths | Stories that fail before the fix and pass after it
          client ! client | The name of a client command in the server's configuration
          before ! text --before | The git revision with the bug
          after ! text --after | The git revision with the fix
          rule text --rule | The rule that must be violated before
          seeds integer --seeds | The number of seeds; 3 by default
        """
}

extension ModelContextTool.Argument {
    /// - Parameter words: the name, `!` if it is required, the kind or the choices, and the option.
    fileprivate init(_ words: [String], _ about: String) {
        let kind = words.dropFirst().first { $0 != "!" } ?? ""
        self.init(
            name: words[0],
            kind: Kind(rawValue: kind) ?? .choice,
            choices: Kind(rawValue: kind) == nil ? kind.split(separator: ",").map(String.init) : [],
            about: about,
            isRequired: words.contains("!"),
            option: words.first { $0.hasPrefix("--") }
        )
    }
}
