import CommandLineInterface

/// A command much like the product, with at least one of everything.
enum Sample {
    enum Journal: String, CaseIterable { case all, some, none }

    static let scenario = Positional("SCENARIO", .file(endings: ["json"], orFolder: true), "The scenario to play")
    static let port = Option(
        "port",
        short: "p",
        "PORT",
        .integer(in: 0...65535),
        default: 4010,
        environment: "BACKLOT_PORT",
        "Listen on this port; 0 takes any free one"
    )
    static let story = Option("story", "ID", .text("a story's id"), "Play this story in the folder")
    static let journal = Option(
        "journal",
        "WHICH",
        .choice,
        default: Journal.all,
        environment: "BACKLOT_JOURNAL",
        "What to keep of the traffic"
    )
    static let noWatch = Option(
        flag: "no-watch",
        environment: "BACKLOT_NO_WATCH",
        "Do not reload when a file changes [it's costly]"
    )
    static let verbose = Option(flag: "verbose", short: "v", "Say more: why a route was not taken, for example")
    static let serve = CommandDescription(
        "serve",
        "Play a scenario over HTTP",
        discussion: """
            A file is played; a folder serves its backend and lists its stories. What is printed on standard output is \
            the base URL and nothing else.

              http://127.0.0.1:4010
            """,
        examples: [
            "backlot serve Scenarios/smeem": "Serve the backend on the usual port",
            "backlot serve Scenarios/smeem --story SM-03": "Play one story of it",
        ],
        options: [port, story, journal, noWatch, verbose],
        positionals: [scenario]
    )

    static let url = Option("url", "URL", .text("the server's URL"), environment: "BACKLOT_URL", "The server to steer")
    static let by = Positional("DURATION", duration, "How far, such as 15d or 2h30m")
    static let rate = Positional("RATE", .integer(in: 0...1_000_000), "Virtual seconds in a real one")
    static let clock = CommandDescription(
        "clock",
        "Show or move the virtual clock",
        options: [url],
        subcommands: [
            CommandDescription("advance", "Advance the clock forward", positionals: [by]),
            CommandDescription("freeze", "Stop the clock"),
            CommandDescription("rate", "Let the clock run faster", positionals: [rate]),
        ],
        runsAlone: true
    )

    static let stories = Positional(variadic: "STORY", atLeast: 1, .file(endings: ["json"]), "The stories to play")
    static let client = Positional(variadic: "COMMAND", atLeast: 1, .text(), "The client, as it would be started")
    static let report = Option(repeated: "report", short: "r", "FORMAT=FILE", reportTarget, "Write a report")
    static let run = CommandDescription(
        "run",
        "Judge a client by its traffic",
        options: [report],
        positionals: [stories],
        passthrough: client
    )

    static let schema = Option(required: "schema", "FILE", .file(endings: ["json", "schema"]), "The JSON Schema")
    static let documents = Positional(variadic: "DOCUMENT", .file(), "Documents; without any, standard input")
    static let into = Option("into", "FOLDER", .folder, "Where to write")
    static let validate = CommandDescription(
        "validate",
        "Hold documents against a schema",
        options: [schema, into],
        positionals: [documents]
    )

    static let shell = Positional(optional: "SHELL", ValueKind<Shell>.choice, "Your shell")
    static let completions = CommandDescription("completions", "Print a completion script", positionals: [shell])

    static let backlot = CommandDescription(
        "backlot",
        "A mock backend with real token lifecycles",
        subcommands: [serve, clock, run, validate, completions],
        version: "0.1"
    )

    private static let duration = ValueKind<Int>(expected: "a duration such as 15d", write: { "\($0)d" }) { word in
        guard word.last == "d", let days = Int(word.dropLast()), days >= 0 else { return nil }
        return days
    }

    private static let reportTarget = ValueKind<[String]>(
        expected: "a format and a file, such as json=report.json",
        completion: .choices(["json=", "junit="])
    ) { word in
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? parts : nil
    }

    /// Parses a line of words between spaces, which has to name a command and to be right.
    static func arguments(_ line: String, environment: [String: String] = [:]) throws -> ParsedArguments {
        let invocation = try backlot.parse(words(line), environment: environment)
        guard case .command(let arguments) = invocation else { throw NoCommand() }
        return arguments
    }

    static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    struct NoCommand: Error {}
}
