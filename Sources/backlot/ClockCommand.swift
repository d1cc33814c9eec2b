import CommandLineInterface
import HTTPCodec
import JSON
import ScenarioFormat

/// `backlot clock`: looks at the clock of a running server, and moves it.
enum ClockCommand {
    private static let duration = Positional(
        "DURATION",
        ValueKind<String>(expected: "a duration such as 90s, 2h or 15d") { DurationText.parse($0) == nil ? nil : $0 },
        "How much time passes"
    )
    private static let moment = Positional(
        "MOMENT",
        ValueKind<String>(expected: "a moment such as 2026-03-01T09:00:00Z") { VirtualTime($0) == nil ? nil : $0 },
        "The new time"
    )
    private static let rate = Positional(
        "RATE",
        ValueKind<Double>(expected: "a number from 0 to 1000000") { text in
            Double(text).flatMap { (0...1_000_000).contains($0) ? $0 : nil }
        },
        "Virtual seconds in a real one"
    )

    private static let skew = Positional(
        "SKEW",
        ValueKind<String>(expected: "a duration such as 5m or -5m") { DurationText.parseSigned($0) == nil ? nil : $0 },
        "How far the Date header is off"
    )

    static let description = CommandDescription(
        "clock",
        "Look at a running server's clock, or move it",
        examples: [
            "backlot clock": "Tell the time",
            "backlot clock advance 15d": "Let two weeks pass, and everything that is due in them",
        ],
        options: RunningServer.options,
        subcommands: [
            CommandDescription("advance", "Let time pass", positionals: [duration]),
            CommandDescription("set", "Set the clock", positionals: [moment]),
            CommandDescription("freeze", "Let time stand still"),
            CommandDescription("run", "Let time go on"),
            CommandDescription("rate", "Let time run faster or slower", positionals: [rate]),
            CommandDescription("automatic", "Let time jump when every request waits for it"),
            CommandDescription("skew", "Let the Date header be off", positionals: [skew]),
        ],
        runsAlone: true
    )

    static func run(_ arguments: ParsedArguments) -> ExitCode {
        RunningServer(arguments).report { (server) throws(RunningServer.Problem) in
            guard let change = change(arguments) else { return line(try server.call(.get, "clock")) }
            return line(try server.call(.post, "clock", body: change))
        }
    }

    private static func change(_ arguments: ParsedArguments) -> JSONValue? {
        switch arguments.command.dropFirst().first {
        case "advance": ["advance": .string(arguments[duration])]
        case "set": ["set": .string(arguments[moment])]
        case "freeze": ["freeze": true]
        case "run": ["freeze": false]
        case "rate": ["rate": JSONNumber(arguments[rate]).map(JSONValue.number) ?? 1]
        case "automatic": ["automatic": true]
        case "skew": ["skew": .string(arguments[skew])]
        default: nil
        }
    }

    private static func line(_ clock: JSONValue) -> String {
        let mode = clock["mode"]?.string ?? ""
        let rate = clock["rate"]?.number.map { $0 == 1 ? "" : " at \($0.text)x" } ?? ""
        return "\(clock["now"]?.string ?? "")  \(mode)\(rate)\n"
    }
}
