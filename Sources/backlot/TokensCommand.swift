import Basics
import CommandLineInterface
import HTTPCodec
import JSON
import StubServing

/// `backlot tokens`: lists the tokens of a running server, and changes them.
enum TokensCommand {
    private static let kind = Positional("KIND", .text("a token kind, or *"), "The kind, or * for all")
    private static let device = Option("device", short: "d", "DEVICE", .text("a device"), "Only this device's")
    private static let json = Option(flag: "json", "Print the document instead of a table")

    static let description = CommandDescription(
        "tokens",
        "List a running server's tokens, or change them",
        examples: [
            "backlot tokens": "List them with their values",
            "backlot tokens expire access": "Let every access token expire now",
            "backlot tokens revoke refresh --device phone": "Refuse one device's refresh token",
        ],
        options: RunningServer.options + [device, json],
        subcommands: [
            CommandDescription("issue", "Hand a device a new token", positionals: [kind]),
            CommandDescription("expire", "Let tokens expire now", positionals: [kind]),
            CommandDescription("revoke", "Refuse tokens from now on", positionals: [kind]),
            CommandDescription("forget", "Drop the server's stored copies", positionals: [kind]),
        ],
        runsAlone: true
    )

    static func run(_ arguments: ParsedArguments) -> ExitCode {
        RunningServer(arguments).report { (server) throws(RunningServer.Problem) in
            let document: JSONValue
            if let verb = arguments.command.dropFirst().first {
                var event: JSONObject = [verb: .string(arguments[kind])]
                event["device"] = arguments[device].map(JSONValue.string)
                document = try server.call(.post, "tokens", body: .object(event))
            } else {
                document = try server.call(.get, "tokens")
            }
            return arguments[json] ? document.text(.pretty) + "\n" : table(document, device: arguments[device])
        }
    }

    private static func table(_ document: JSONValue, device wanted: String?) -> String {
        let devices = (document["devices"]?.array ?? []).filter { wanted == nil || $0["device"]?.string == wanted }
        guard !devices.isEmpty else { return "No device has signed in.\n" }
        return devices.map { device in
            let heading = "\(device["device"]?.string ?? "") (\(device["account"]?.string ?? ""))".printable
            return heading + "\n" + (device["tokens"]?.array ?? []).map(row).joined()
        }.joined()
    }

    private static func row(_ token: JSONValue) -> String {
        let columns = ["id", "state", "expiresAt", "value"].map { token[$0]?.string ?? "" }
        return "  \(columns.joined(separator: "  ").printable)\n"
    }
}
