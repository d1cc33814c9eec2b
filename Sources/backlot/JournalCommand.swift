import Basics
import Checking
import CommandLineInterface
import HTTPCodec
import JSON
import Rules
import Simulation
import StubServing

/// `backlot journal`: prints the requests that a running server got, and its responses.
enum JournalCommand {
    private static let route = Option("route", "ROUTE", .text("a route"), "Only exchanges on this route")
    private static let status = Option("status", "CODE", .integer(in: 100...999), "Only exchanges with this status")
    private static let device = Option(
        "device",
        short: "d",
        "DEVICE",
        .text("a device"),
        "Only tokens from this device"
    )
    private static let token = Option("token", "ID", .text("a token's ID"), "Only exchanges with this token")
    private static let limit = Option("limit", "N", .integer(in: 1...1_000_000), "The number of newest exchanges")
    private static let exchange = Option(
        "exchange",
        "N",
        .integer(in: 1...Int.max),
        "Only the exchange with this number"
    )
    private static let canonical = Option(
        flag: "canonical",
        "Print only data that is identical in two runs of the same requests"
    )

    private static let har = Option(
        flag: "har",
        "Print an HTTP Archive (HAR 1.2) with masked tokens, for browsers and proxies"
    )

    static let description = CommandDescription(
        "journal",
        "Print or clear a running server's journal",
        examples: [
            "backlot journal": "Print a line for each exchange",
            "backlot journal --status 401 --json": "Print rejected exchanges in full",
            "backlot journal --exchange 7 --json": "Print one exchange in full",
            "backlot journal --har > session.har": "Write a file for Proxyman, Charles and browsers",
        ],
        options: RunningServer.options + [route, status, device, token, exchange, limit, canonical, har],
        subcommands: [CommandDescription("clear", "Clear the journal")],
        runsAlone: true,
        otherNames: ["log", "logs", "requests"],
        result: [
            "version": ["type": "integer"], "session": ["type": "string"], "cleared": ["type": "boolean"],
            "exchanges": [
                "type": "array",
                "items": [
                    "type": "object", "required": ["number", "method", "target"],
                    "properties": [
                        "number": ["type": "integer", "minimum": 1], "method": ["type": "string"],
                        "target": ["type": "string"], "status": ["type": "integer"],
                    ],
                ],
            ],
        ],
        isResultOpen: true
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        if arguments[har], Terminal.printsJSON || arguments[canonical] {
            throw arguments.misuse("--har excludes --json and --canonical")
        }
        return try report(arguments)
    }

    private static func report(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        try RunningServer(arguments).report { (server) throws(RunningServer.Problem) in
            if arguments.command.count > 1 {
                return RunningServer.Answer(document: try server.call(.delete, "journal"), text: "")
            }
            let document = try server.call(.get, "journal", query: filters(arguments))
            if arguments[exchange] != nil, document["exchanges"]?.array?.isEmpty != false {
                throw RunningServer.Problem(sentence: "the journal contains no exchange \(arguments[exchange] ?? 0)")
            }
            let text =
                if arguments[har] { try archive(document) } else if arguments[canonical] {
                    document.text(.pretty) + "\n"
                } else { (document["exchanges"]?.array ?? []).map(line).joined() }
            guard arguments[exchange] != nil, !arguments[CommandResult.detail] else {
                return RunningServer.Answer(document: document, text: text)
            }
            // Without the session's tokens and the verdict, which are larger than one exchange.
            let members = (document.object ?? [:]).members.filter { ["session", "exchanges"].contains($0.name) }
            return RunningServer.Answer(document: .object(JSONObject(members)), text: text)
        }
    }

    private static func archive(_ document: JSONValue) throws(RunningServer.Problem) -> String {
        do {
            return try Recording(document).har(version: BacklotVersion.text).text(.pretty) + "\n"
        } catch {
            throw RunningServer.Problem(sentence: "the server's journal cannot be read: \(error.sentence)")
        }
    }

    private static func filters(_ arguments: ParsedArguments) -> [(String, String)] {
        let filters: [(String, String?)] = [
            ("route", arguments[route]), ("status", arguments[status].map(String.init)),
            ("device", arguments[device]), ("token", arguments[token]),
            ("number", arguments[exchange].map(String.init)), ("limit", arguments[limit].map(String.init)),
            ("canonical", arguments[canonical] ? "true" : nil),
        ]
        return filters.compactMap { name, value in value.map { (name, $0) } }
    }

    private static func line(_ exchange: JSONValue) -> String {
        let tokens = (exchange["tokens"]?.array ?? []).map { token in
            "\(token["id"]?.string ?? token["kind"]?.string ?? "") \(token["state"]?.string ?? "")"
        }
        let columns =
            [
                "#\(exchange["number"]?.number?.text ?? "")", exchange["time"]?.string ?? "",
                exchange["method"]?.string ?? "", exchange["target"]?.string ?? "",
                exchange["status"]?.number?.text ?? "",
            ]
            + [exchange["fault"]?.string, exchange["armedFault"]?.number.map { "armed fault \($0.text)" }].compactMap {
                $0
            } + tokens
        let violations = (exchange["violations"]?.array ?? []).map(violation)
        return ([columns.joined(separator: "  ")] + violations).map { $0.printable + "\n" }.joined()
    }

    /// A line for what the contract does not allow.
    private static func violation(_ violation: JSONValue) -> String {
        let place = violation["pointer"]?.string.map { $0.isEmpty ? "" : " \($0)" } ?? ""
        let words = violation["deliberate"]?.bool == true ? " (intentional)" : ""
        return "  contract\(words): \(violation["in"]?.string ?? "") \(violation["part"]?.string ?? "")\(place): "
            + "\(violation["message"]?.string ?? "") (\(violation["place"]?.string ?? ""))"
    }
}
