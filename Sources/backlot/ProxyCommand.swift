import Basics
import Checking
import CommandLineInterface
import JSON
import Proxying
import ScenarioFormat
import StubServing

/// `backlot proxy`: serves in front of a real backend until it is stopped.
enum ProxyCommand {
    private static let upstream = Positional(
        "URL",
        .text("a base URL such as https://staging.example.com"),
        "The base URL of the backend"
    )
    private static let scenario = Positional(
        optional: "SCENARIO",
        .file(endings: TextFormat.endings, orFolder: true),
        "A story, or a backend file or its folder, whose routes respond instead of the backend"
    )
    private static let token = Option(
        repeated: "token",
        "KIND=PLACE,…",
        .text("kinds such as access=header:X-Auth,refresh=body:/rt"),
        "The locations of tokens whose names do not show that they are tokens; see \"backlot help autopsy\""
    )
    private static let record = Option(
        "record",
        "FOLDER",
        .folder,
        "When the command is stopped, write a backend and a story of the traffic to this folder; secrets are replaced"
    )
    private static let allowSignOut = Option(
        flag: "allow-sign-out",
        "Also send requests that end the session of a real user: sign-out, and a refresh token that was used before"
    )
    private static let vault = Option(
        flag: "vault",
        "Give the app tokens of this server and keep the backend's in memory, so that no story ends the user's session"
    )
    private static let timeout = Option(
        "timeout",
        "DURATION",
        ValueKind<Duration>(expected: "a duration such as 30s", write: DurationText.text) { text in
            DurationText.parse(text).flatMap { $0 > .zero ? $0 : nil }
        },
        default: .seconds(30),
        "The time to wait for the backend before a request gets 504"
    )

    static let description = CommandDescription(
        "proxy",
        "Serve in front of a real backend, and let its tokens expire",
        discussion: """
            Sends requests to the backend, and learns its tokens from the traffic. The tokens live on the virtual clock: \
            a token that has expired is refused here and not sent on. The clock, faults, latency, gates, the page, the \
            rules and the contract work as with "backlot serve". A fault for requests that no route of a scenario \
            handles names a method and a path, such as "GET /users/{id}" or "* /*".

            POST and other requests that change data are real. A sign-out and a second use of a refresh token are not \
            sent without --allow-sign-out, because the backend would end the user's session.

            With --vault, the app gets tokens of this server, and the backend's tokens stay in memory. A refresh is sent \
            to the backend only if the backend's own access token has expired in real time, so lost responses, reuse of \
            a refresh token, revocation and long absences leave the backend's session as it is.
            """,
        examples: [
            "backlot proxy https://staging.example.com": "Serve in front of a staging server",
            "backlot clock advance 2h": "Let its access tokens expire",
            "backlot proxy https://staging.example.com Scenarios/app": "Let a scenario respond to some requests",
        ],
        options: ServeCommand.options + [token, record, vault, allowSignOut, timeout] + TrustOptions.all,
        positionals: [upstream, scenario],
        otherNames: ["forward", "reverse-proxy"],
        result: ServeCommand.result
    )

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
        let url = arguments[upstream]
        let server: ServerURL
        do throws(VerificationProblem) {
            server = try ServerURL(url)
        } catch {
            throw arguments.misuse(error.sentence)
        }
        if arguments[vault], arguments[allowSignOut] {
            throw arguments.misuse("--vault keeps the user's session, and --allow-sign-out ends it; use one of them")
        }
        var kinds: [CapturedTokens.DeclaredKind] = []
        for text in arguments[token] { kinds += try AutopsyCommand.declared(text, arguments) }
        var configuration = ServeCommand.configuration(arguments)
        let recorder = arguments[record].map { _ in TrafficRecorder() }
        if let folder = arguments[record],
            let problem = DraftFolder(folder, files: DiskFiles()).problem(overwriting: nil)
        {
            return Terminal.refuse(problem)
        }
        configuration.forwarder = Forwarder(
            trust: try TrustOptions.read(arguments),
            timeout: arguments[timeout],
            kinds: kinds,
            recorder: recorder,
            keepsTokens: arguments[vault]
        )
        configuration.upstream = url
        configuration.allowsSignOut = arguments[allowSignOut]
        let exit = try await ServeCommand.serve(arguments, configuration) {
            if let path = arguments[scenario] { return try ScenarioLibrary(path, root: arguments[ServeCommand.root]) }
            let backend: JSONValue = ["backend": .string(server.host), "upstream": .string(url)]
            return try ScenarioLibrary.made(backend, named: server.host.replacing(":", with: "-"))
        }
        guard exit == .success, let folder = arguments[record], let recorder else { return exit }
        return write(recorder.capture, to: folder, kinds)
    }

    /// Writes a backend and a story of the traffic.
    private static func write(
        _ capture: Capture,
        to folder: String,
        _ kinds: [CapturedTokens.DeclaredKind]
    ) -> ExitCode {
        guard !capture.entries.isEmpty else {
            return Terminal.refuse("nothing was recorded, because no request was sent on")
        }
        var options = CapturedSession.Options()
        (options.kinds, options.requiresTokens) = (kinds, false)
        do {
            let session = try CapturedSession(capture, options)
            if let problem = ImportCommand.write(session, to: folder, isTold: true) { return Terminal.refuse(problem) }
            return .success
        } catch {
            return Terminal.refuse([error.finding])
        }
    }
}
