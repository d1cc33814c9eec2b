import Basics
import CommandLineInterface
import HTTPCodec
import JSON
import StubServing

/// `backlot tokens`: lists the tokens of a running server, and changes them.
enum TokensCommand {
    private static let kind = Positional("KIND", .text("a token kind, or *"), "The kind, or * for all")
    private static let device = Option("device", short: "d", "DEVICE", .text("a device"), "Only tokens of this device")
    private static let json = Option(flag: "json", "Print JSON instead of a table")

    static let description = CommandDescription(
        "tokens",
        "List or change a running server's tokens",
        examples: [
            "backlot tokens": "List all tokens with their values",
            "backlot tokens expire access": "Expire every access token now",
            "backlot tokens revoke refresh --device phone": "Revoke one device's refresh token",
        ],
        options: RunningServer.options + [device, json],
        subcommands: [
            CommandDescription("issue", "Issue a new token to a device", positionals: [kind]),
            CommandDescription("expire", "Expire tokens now", positionals: [kind]),
            CommandDescription("revoke", "Revoke tokens", positionals: [kind]),
            CommandDescription("forget", "Delete the server's stored copies", positionals: [kind]),
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
