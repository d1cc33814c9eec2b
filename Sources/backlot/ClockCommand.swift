import CommandLineInterface
import HTTPCodec
import JSON
import ScenarioFormat

/// `backlot clock`: looks at the clock of a running server, and moves it.
enum ClockCommand {
    private static let duration = Positional(
        "DURATION",
        .duration(suchAs: "90s, 2h or 15d"),
        "The time to advance"
    )
    private static let moment = Positional(
        "MOMENT",
        ValueKind<String>(expected: "a timestamp such as 2026-03-01T09:00:00Z") { VirtualTime($0) == nil ? nil : $0 },
        "The new time"
    )
    private static let rate = Positional(
        "RATE",
        ValueKind<Double>(expected: "a number from 0 to 1000000") { text in
            Double(text).flatMap { (0...1_000_000).contains($0) ? $0 : nil }
        },
        "The virtual seconds per real second"
    )

    private static let skew = Positional(
        "SKEW",
        ValueKind<String>(expected: "a duration such as 5m or -5m") { DurationText.parseSigned($0) == nil ? nil : $0 },
        "The offset of the Date header"
    )

    static let description = CommandDescription(
        "clock",
        "Show or change a running server's clock",
        examples: [
            "backlot clock": "Show the time",
            "backlot clock advance 15d": "Advance by two weeks and perform all due events",
        ],
        options: RunningServer.options,
        subcommands: [
            CommandDescription("advance", "Advance the clock", positionals: [duration]),
            CommandDescription("set", "Set the clock", positionals: [moment]),
            CommandDescription("freeze", "Stop the clock"),
            CommandDescription("run", "Start the clock again"),
            CommandDescription("rate", "Set the rate of the clock", positionals: [rate]),
            CommandDescription("automatic", "Advance the clock automatically when every request waits for the clock"),
            CommandDescription("skew", "Set the offset of the Date header", positionals: [skew]),
        ],
        runsAlone: true,
        result: ["now": ["type": "string"], "mode": ["type": "string"], "rate": ["type": "number"]],
        isResultOpen: true
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        try RunningServer(arguments).report { (server) throws(RunningServer.Problem) in
            let change = change(arguments)
            let clock = try server.call(change == nil ? .get : .post, "clock", body: change)
            return RunningServer.Answer(document: clock, text: line(clock))
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
