import Basics
import CommandLineInterface
import EventLoops
import JSON

/// A tool of the MCP server: a command of this program, with arguments that its command line has.
struct ModelContextTool: Sendable {
    let name: String
    /// The description for `tools/list`.
    private let about: String
    /// The words that select the command.
    private let command: [String]
    private let arguments: [Argument]
    /// A Boolean value that indicates whether it needs the server that `serve` has started.
    let needsServer: Bool
    /// A Boolean value that indicates whether it changes nothing, neither files nor a server.
    private let isReadOnly: Bool

    /// The commands that are tools, with the options that a program in the project's folder may choose; an exclamation
    /// mark follows what a call requires although the command line does not always.
    private static let offered: [(command: String, options: String, isReadOnly: Bool)] = [
        ("serve", "story clock", false), ("clock advance", "", false), ("tokens", "device", false),
        ("journal", "exchange limit route status detail", false), ("verdict", "detail", true), ("session", "", false),
        ("run", "seed time-limit detail", false), ("explore", "budget time-limit detail", false),
        ("check", "detail", true), ("explain", "", true), ("prove", "story! before! after! rule seeds also", false),
    ]

    /// Every tool for the commands of a program.
    ///
    /// - Parameter clients: the names of the configured clients.
    static func all(_ program: CommandDescription, clients: [String]) -> [ModelContextTool] {
        let stop = CommandDescription("stop", "Stop the server, and return the findings about its clients")
        let tools = offered.map { offer in
            let path = offer.command.split(separator: " ").reduce(into: [program]) { path, word in
                guard let next = path[path.count - 1].subcommands.first(where: { $0.name == word }) else {
                    preconditionFailure("there is no command \(offer.command)")
                }
                path.append(next)
            }
            return ModelContextTool(Array(path.dropFirst()), offer.options, clients, isReadOnly: offer.isReadOnly)
        }
        return tools + [ModelContextTool([stop], "", clients, isReadOnly: false)]
    }

    /// - Parameter path: the command after the groups that lead to it.
    private init(_ path: [CommandDescription], _ chosen: String, _ clients: [String], isReadOnly: Bool) {
        let command = path[path.count - 1]
        let options = path.flatMap(\.options) + [CommandResult.detail.declaration]
        let verbs = command.subcommands
        var arguments: [Argument] = []
        if !verbs.isEmpty {
            let help = verbs.map { "\($0.name): \($0.abstract)" }.joined(separator: "; ")
            let schema: JSONObject = [
                "type": "string", "enum": .array(verbs.map { .string($0.name) }), "description": .string(help),
            ]
            arguments.append(Argument(name: "action", isRequired: !command.runsAlone, schema: schema))
        }
        for positional in command.positionals + verbs.flatMap(\.positionals) {
            let argument = Argument(positional, isRequired: positional.minimum > 0 && verbs.isEmpty)
            if !arguments.contains(where: { $0.name == argument.name }) { arguments.append(argument) }
        }
        if command.passthrough != nil {
            let help = "A client of the configuration: the names in backlot mcp --client NAME=COMMAND"
            var schema: JSONObject = ["type": "string"]
            // An enumeration without values is not valid in every version of JSON Schema.
            if !clients.isEmpty { schema["enum"] = .array(clients.map(JSONValue.string)) }
            schema["description"] = .string(help)
            arguments.append(Argument(name: Self.client, isRequired: true, schema: schema))
        }
        for word in chosen.split(separator: " ") {
            let (chosen, isRequired) = (word.prefix { $0 != "!" }, word.last == "!")
            if let index = arguments.firstIndex(where: { $0.name == chosen }) {
                arguments[index].isRequired = isRequired
            } else if let option = options.first(where: { $0.name == chosen }) {
                arguments.append(Argument(option, isRequired: isRequired))
            } else {
                preconditionFailure("\(command.name) has no argument \(chosen)")
            }
        }
        name = command.name
        about = command.abstract + (command.discussion.split(separator: "\n\n").first.map { ". \($0)" } ?? "")
        needsServer = options.contains { $0.name == "url" }
        (self.command, self.arguments, self.isReadOnly) = (path.map(\.name), arguments, isReadOnly)
    }

    /// The name of the argument that selects a client.
    private static let client = "client"

    /// The JSON Schema of the arguments.
    var inputSchema: JSONValue {
        [
            "type": "object",
            "properties": .object(JSONObject(arguments.map { ($0.name, JSONValue.object($0.schema)) })),
            "required": .array(arguments.filter(\.isRequired).map { .string($0.name) }),
            "additionalProperties": false,
        ]
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
    /// - Throws: ``ProgramProblem`` for a path outside the project, and for a value that looks like an option.
    func words(
        _ values: JSONObject,
        clients: [String: String],
        url: String?,
        resolve: (String) throws(ProgramProblem) -> String
    ) throws(ProgramProblem) -> [String] {
        var (positionals, options, client): ([String], [String], [String]) = ([], [], [])
        for argument in arguments {
            guard let value = values[argument.name] else { continue }
            if argument.name == Self.client {
                guard let command = clients[value.string ?? ""] else {
                    throw ProgramProblem(
                        sentence: "the client is not configured; start backlot mcp with --client NAME=COMMAND"
                    )
                }
                client = ["--", "/bin/sh", "-c", command]
                continue
            }
            if let isSet = value.bool {
                if isSet { options += [argument.option].compactMap { $0 } }
                continue
            }
            for value in value.array ?? [value] {
                var text = value.string ?? value.int.map(String.init) ?? value.text(.compact)
                if argument.isPath { text = try resolve(text) }
                guard text.utf8.first != UInt8(ascii: "-") else {
                    throw ProgramProblem(sentence: "\(argument.name) cannot begin with a hyphen: \"\(text.printable)\"")
                }
                if let option = argument.option { options += [option, text] } else { positionals.append(text) }
            }
        }
        if needsServer, let url { options += ["--url", url] }
        return command + positionals + options + ["--json"] + client
    }
}

extension ModelContextTool {
    /// A positional argument or an option of the command.
    fileprivate struct Argument: Sendable {
        var name: String
        /// The option; `nil` for a positional argument.
        var option: String?
        var isRequired: Bool
        /// A Boolean value that indicates whether it names files or folders of the project.
        var isPath = false
        /// The JSON Schema of the value.
        var schema: JSONObject
    }
}

extension ModelContextTool.Argument {
    fileprivate init(_ positional: PositionalDescription, isRequired: Bool) {
        // A name such as STORY|BACKEND lists what is accepted.
        let name = positional.name.prefix { $0 != "|" }.lowercased()
        self.init(name: name, isRequired: isRequired, schema: [:])
        describe(positional.value, positional.help, isList: positional.isVariadic)
    }

    fileprivate init(_ option: OptionDescription, isRequired: Bool) {
        self.init(name: option.name, option: "--\(option.name)", isRequired: isRequired, schema: [:])
        describe(option.value, option.help, isList: option.isRepeatable)
    }

    /// Derives the schema from the declaration of a value, which is `nil` for a flag.
    private mutating func describe(_ value: ValueShape?, _ help: String, isList: Bool) {
        schema = ["type": value == nil ? "boolean" : "string"]
        switch value?.completion {
        case .choices(let names) where !isList: schema["enum"] = .array(names().map(JSONValue.string))
        case .files, .folders: isPath = true
        default: break
        }
        if let range = value?.integers {
            schema = ["type": "integer", "minimum": .number(JSONNumber(range.lowerBound))]
            if range.upperBound < .max { schema["maximum"] = .number(JSONNumber(range.upperBound)) }
        }
        if isList { schema = ["type": "array", "items": .object(schema), "minItems": 1] }
        schema["description"] = .string(help + (value.map { ": \($0.expected)" } ?? ""))
    }
}
