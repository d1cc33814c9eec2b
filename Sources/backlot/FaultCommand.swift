import Basics
import CommandLineInterface
import HTTPCodec
import JSON
import ScenarioFormat

/// `backlot fault`: lists the faults that are armed on a running server, arms one, and clears them.
enum FaultCommand {
    private static let route = Positional(
        "ROUTE",
        .text("a route such as \"GET /items\""),
        "The route, as in the scenario"
    )
    private static let failure = Positional(
        "FAILURE",
        ValueKind<String>(
            expected: "a status from 200 to 999, \"slow\", or one of "
                + Fault.Kind.allCases.map(\.rawValue).joined(separator: ", "),
            completion: .choices(["500", "slow"] + Fault.Kind.allCases.map(\.rawValue))
        ) { text in
            Int(text).map { 200...999 ~= $0 } ?? (text == slow || Fault.Kind(rawValue: text) != nil) ? text : nil
        },
        "A status, a broken connection, or \"slow\" with --latency"
    )
    private static let slow = "slow"
    private static let number = Positional(
        optional: "NUMBER",
        .integer(in: 1...Int.max),
        "The number of the fault; by default, all are cleared"
    )
    private static let times = Option(
        "times",
        short: "n",
        "N",
        .integer(in: 1...1_000_000),
        "The number of requests; 1 by default, or as many as arrive during --for"
    )
    private static let duration = Option("for", "DURATION", durations, "The virtual time after which the fault ends")
    private static let latency = Option("latency", "DURATION", durations, "The latency of the responses")
    private static let json = Option("body", "JSON", .text("JSON"), "The body as JSON; by default, the backend's own")
    private static let text = Option("text", "TEXT", .text(), "The body as text")
    private static let header = Option(
        repeated: "header",
        "NAME:VALUE",
        ValueKind<(name: String, value: String)>(expected: "a name, \":\" and a value") { text in
            guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return nil }
            let value = text[text.index(after: colon)...].drop { $0 == " " }
            return (String(text[..<colon]), String(value))
        },
        "A header field of the response, such as \"Retry-After: 5\"; repeat the option for several"
    )

    private static let durations = ValueKind.duration(suchAs: "500ms or 30s")

    static let description = CommandDescription(
        "fault",
        "Make the next requests to a running server fail",
        examples: [
            "backlot fault": "List the armed faults",
            "backlot fault arm \"GET /items\" 503 --times 3": "Answer the next three requests with 503",
            "backlot fault arm \"POST /login\" reset": "Break the next connection",
            "backlot fault arm \"GET /items\" slow --latency 5s --for 1m": "Delay all responses for a minute",
            "backlot fault clear": "Clear all faults",
        ],
        options: RunningServer.options,
        subcommands: [
            CommandDescription(
                "arm",
                "Arm a fault",
                options: [times, duration, latency, json, text, header],
                positionals: [route, failure]
            ),
            CommandDescription("clear", "Clear a fault, or all of them", positionals: [number]),
        ],
        runsAlone: true,
        result: ["armed": ["type": "array", "items": ["type": "object"]]],
        isResultOpen: true
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let call: (method: HTTPMethod, part: String, body: JSONValue?)
        switch arguments.command.dropFirst().first {
        case "arm": call = (.post, "faults", try fault(arguments))
        case "clear": call = (.delete, arguments[number].map { "faults/\($0)" } ?? "faults", nil)
        default: call = (.get, "faults", nil)
        }
        return try RunningServer(arguments).report { (server) throws(RunningServer.Problem) in
            let document = try server.call(call.method, call.part, body: call.body)
            return RunningServer.Answer(document: document, text: list(document))
        }
    }

    private static func fault(_ arguments: ParsedArguments) throws(UsageError) -> JSONValue {
        let failure = arguments[failure]
        var fault: JSONObject = ["route": .string(arguments[route])]
        if let status = Int(failure) {
            fault["status"] = .number(JSONNumber(status))
        } else if failure != slow {
            fault["fault"] = .string(failure)
        } else if arguments[latency] == nil {
            throw arguments.misuse("\"slow\" requires --latency DURATION")
        }
        fault["latency"] = arguments[latency].map(JSONValue.string)
        fault["times"] = arguments[times].map { .number(JSONNumber($0)) }
        fault["for"] = arguments[duration].map(JSONValue.string)
        if let written = arguments[json] {
            do {
                fault["json"] = try JSONParser().parse(Array(written.utf8)).root
            } catch {
                throw arguments.misuse("--body requires JSON: \(error.sentence)")
            }
        }
        fault["text"] = arguments[text].map(JSONValue.string)
        fault["headers"] = headers(arguments[header])
        return .object(fault)
    }

    /// The fields of a fault, in which a repeated name has all of its values; `nil` without any.
    private static func headers(_ fields: [(name: String, value: String)]) -> JSONValue? {
        guard !fields.isEmpty else { return nil }
        var members = JSONObject()
        for (name, value) in fields {
            let name = members.names.first { $0.lowercased() == name.lowercased() } ?? name
            members[name] = .array((members[name]?.array ?? []) + [.string(value)])
        }
        return .object(members)
    }

    private static func list(_ document: JSONValue) -> String {
        let armed = document["armed"]?.array ?? []
        return armed.isEmpty ? "No fault is armed.\n" : armed.map(line).joined()
    }

    private static func line(_ fault: JSONValue) -> String {
        let failure = [
            fault["status"]?.number?.text, fault["fault"]?.string, fault["latency"]?.string.map { "latency \($0)" },
        ]
        let times = fault["times"]?.int.map { $0 == 1 ? "1 request" : "\($0) requests" }
        let columns: [String?] = [
            "#\(fault["number"]?.number?.text ?? "")", fault["route"]?.string,
            failure.compactMap(\.self).joined(separator: ", "), times, fault["until"]?.string.map { "until \($0)" },
        ]
        return columns.compactMap(\.self).joined(separator: "  ").printable + "\n"
    }
}
