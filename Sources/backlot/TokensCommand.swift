import Basics
import CommandLineInterface
import HTTPCodec
import JSON
import StoryRunning
import StubServing

/// `backlot tokens`: lists the tokens of a running server, and changes them.
enum TokensCommand {
    private static let kind = Positional("KIND", .text("a token kind, or *"), "The kind, or * for all")
    private static let device = Option(
        "device",
        short: "d",
        "DEVICE",
        .text("a device"),
        "Only tokens from this device"
    )
    private static let export = Option(
        flag: "export",
        "Print shell commands that set the variables of 'backlot run', and BACKLOT_TOKEN_KIND for each kind"
    )

    static let description = CommandDescription(
        "tokens",
        "List or change a running server's tokens",
        examples: [
            "backlot tokens": "List all tokens with their values",
            "eval \"$(backlot tokens --export)\"": "Set $BACKLOT_TOKEN_ACCESS to the access token",
            "backlot tokens expire access": "Expire every access token now",
            "backlot tokens revoke refresh --device phone": "Revoke one device's refresh token",
        ],
        options: RunningServer.options + [device, export],
        subcommands: [
            CommandDescription("issue", "Issue a new token to a device", positionals: [kind]),
            CommandDescription("expire", "Expire tokens now", positionals: [kind]),
            CommandDescription("revoke", "Revoke tokens", positionals: [kind]),
            CommandDescription("forget", "Delete the server's stored copies", positionals: [kind]),
        ],
        runsAlone: true,
        result: ["devices": ["type": "array", "items": ["type": "object"]]],
        isResultOpen: true
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        if Terminal.printsJSON, arguments[export] {
            throw arguments.misuse("--json and --export cannot be combined; keep one")
        }
        return try RunningServer(arguments).report { (server) throws(RunningServer.Problem) in
            let document: JSONValue
            if let verb = arguments.command.dropFirst().first {
                var event: JSONObject = [verb: .string(arguments[kind])]
                event["device"] = arguments[device].map(JSONValue.string)
                document = try server.call(.post, "tokens", body: .object(event))
            } else {
                document = try server.call(.get, "tokens")
            }
            let text =
                try arguments[export]
                ? exports(document, server, device: arguments[device]) : table(document, device: arguments[device])
            return RunningServer.Answer(document: document, text: text)
        }
    }

    private static func devices(_ document: JSONValue, _ wanted: String?) -> [JSONValue] {
        (document["devices"]?.array ?? []).filter { wanted == nil || $0["device"]?.string == wanted }
    }

    /// The variables of a client as commands of a POSIX shell.
    private static func exports(
        _ document: JSONValue,
        _ server: RunningServer,
        device wanted: String?
    ) throws(RunningServer.Problem) -> String {
        let devices = devices(document, wanted)
        guard !devices.isEmpty else {
            let subject = wanted.map { "the device \"\($0)\" has not" } ?? "no device has"
            throw RunningServer.Problem(sentence: "\(subject) signed in, so there is no token to export".printable)
        }
        var environment = ClientEnvironment()
        environment.set("URL", server.url)
        environment.set(tokens: ["devices": .array(devices)])
        return environment.values.map { "export \($0.name)=\($0.value.shellWord)\n" }.joined()
    }

    private static func table(_ document: JSONValue, device wanted: String?) -> String {
        let devices = devices(document, wanted)
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
