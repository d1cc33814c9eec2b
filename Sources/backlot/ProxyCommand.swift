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
        optional: "URL",
        .text("a base URL such as https://staging.example.com"),
        "The base URL of the backend; optional with --offline"
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
        "Write a backend, a story and a HAR file of the traffic to this folder while it passes; secrets are replaced"
    )
    private static let replay = Option(
        "replay",
        "FOLDER",
        .folder,
        "Respond from the recording in this folder, and send only other requests and those for tokens to the backend"
    )
    private static let offline = Option(
        flag: "offline",
        "Send nothing to the backend; with --replay, a request that the recording lacks gets 504 with the nearest one"
    )
    private static let allowSignOut = Option(
        flag: "allow-sign-out",
        "Also send requests that end the session of a real user: sign-out, and a refresh token that was used before"
    )
    private static let vault = Option(
        flag: "vault",
        "Give the app tokens of this server and keep the backend's in memory, so that no story ends the user's session"
    )
    private static let compare = Option(
        "compare",
        "SCENARIO",
        .file(endings: TextFormat.endings, orFolder: true),
        "Compare the backend's responses with those of a story or backend; exit with 1 if the scenario is out of date"
    )
    private static let update = Option(
        flag: "update",
        "When the command is stopped, give the responses of the compared scenario the real statuses and members"
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

            With --record, the folder contains a complete recording at every moment. It responds to equal requests with \
            equal bytes, except for secrets; names and addresses of people stay in it. "backlot serve" plays it, \
            --replay uses it as a cache, and "backlot autopsy" and "backlot import" read its capture.har. With the same \
            folder for --record and --replay, new requests are added.

            With --compare, each response is compared with the response of a scenario to the same request: the status, \
            the members of JSON bodies and their types, and the header fields that clients act on. A difference is \
            printed once, at the scenario's line. A response that depends on data that the scenario does not have is \
            not compared, with the reason. --update replaces members that have changed in fixtures, and statuses; \
            values that are still right stay, and new ones contain no secrets and no personal data.
            """,
        examples: [
            "backlot proxy https://staging.example.com": "Serve in front of a staging server",
            "backlot clock advance 2h": "Let its access tokens expire",
            "backlot proxy https://staging.example.com Scenarios/app": "Let a scenario respond to some requests",
            "backlot proxy https://staging.example.com --record Scenarios/mine": "Record the traffic",
            "backlot proxy --replay Scenarios/mine --offline": "Respond from a recording only",
            "backlot proxy https://staging.example.com --compare Scenarios/app":
                "Find what has changed since the scenario was written",
        ],
        options: ServeCommand.options
            + [token, record, replay, offline, vault, allowSignOut, compare, update, timeout] + TrustOptions.all,
        positionals: [upstream, scenario],
        otherNames: ["forward", "reverse-proxy"],
        result: result
    )

    /// The members of the result.
    private static let result: JSONObject = {
        func count(_ description: String) -> JSONValue {
            ["type": "integer", "minimum": 0, "description": .string(description)]
        }
        var members = ServeCommand.result
        members["recording"] = ["type": "string", "description": "The folder of the recording, once it is complete."]
        members["compared"] = count("With --compare, the number of responses that were compared.")
        members["notCompared"] = count("The number of responses that were not compared.")
        members["differences"] = count("The number of differences between the backend and the scenario.")
        members["updated"] = [
            "type": "array", "items": ["type": "string"],
            "description": "With --update, the files that were changed.",
        ]
        return members
    }()

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
        try refuseCombinations(arguments)
        let url = arguments[upstream]
        let server: ServerURL?
        do throws(VerificationProblem) {
            server = try url.map { text throws(VerificationProblem) in try ServerURL(text) }
        } catch {
            throw arguments.misuse(error.sentence)
        }
        if arguments[vault], arguments[allowSignOut] {
            throw arguments.misuse("--vault keeps the user's session, and --allow-sign-out ends it; use one of them")
        }
        var kinds: [CapturedTokens.DeclaredKind] = []
        for text in arguments[token] { kinds += try AutopsyCommand.declared(text, arguments) }
        var configuration = ServeCommand.configuration(arguments)
        let files = DiskFiles()
        var library: ScenarioLibrary?
        if let folder = arguments[replay] {
            guard files.isFolder(folder) || files.resolve(folder) == nil else {
                throw arguments.misuse("\"\(folder)\" is a file; --replay names the folder of a recording")
            }
            do throws(ScenarioError) {
                library = try ScenarioLibrary(folder, root: arguments[ServeCommand.root])
            } catch {
                return Terminal.refuse(error.findings)
            }
        }
        var recorder: TrafficRecorder?
        if let path = arguments[record], let server {
            let folder = DraftFolder(path, files: files)
            let addsTo = arguments[replay].flatMap(files.resolve) == folder.resolved
            do {
                recorder = try TrafficRecorder(
                    to: folder,
                    named: server.host,
                    version: BacklotVersion.text,
                    kinds: kinds,
                    addsTo: addsTo
                ) { Terminal.complain("warning: \($0)\n") }
            } catch {
                return Terminal.refuse(error.sentence)
            }
        }
        var compared: (loaded: LoadedScenario, with: MockComparison)?
        if let path = arguments[compare] {
            do throws(ScenarioError) {
                let loaded = try ScenarioLibrary(path, root: arguments[ServeCommand.root]).load()
                compared = (loaded, MockComparison(loaded, files: DiskFiles()))
            } catch {
                return Terminal.refuse(error.findings)
            }
        }
        configuration.forwarder = Forwarder(
            trust: try TrustOptions.read(arguments),
            timeout: arguments[timeout],
            kinds: kinds,
            recorder: recorder,
            keepsTokens: arguments[vault],
            comparison: compared?.with
        )
        configuration.upstream = arguments[offline] ? nil : url
        configuration.replays = library != nil
        configuration.allowsSignOut = arguments[allowSignOut]
        let found = library
        let exit = try await ServeCommand.serve(arguments, configuration) {
            if let found { return found }
            if let path = arguments[scenario] { return try ScenarioLibrary(path, root: arguments[ServeCommand.root]) }
            let (name, url) = (server?.host ?? "", url ?? "")
            let backend: JSONValue = ["backend": .string(name), "upstream": .string(url)]
            return try ScenarioLibrary.made(backend, named: name.replacing(":", with: "-"))
        }
        guard exit == .success else { return exit }
        if let path = arguments[record], let recorder {
            let written = finish(recorder, DraftFolder(path, files: files))
            guard written == .success else { return written }
        }
        guard let compared else { return .success }
        return report(on: compared.with, loadedFrom: compared.loaded, updates: arguments[update])
    }

    /// Prints what the comparison has found, and changes the scenario where that was asked for.
    private static func report(
        on comparison: MockComparison,
        loadedFrom loaded: LoadedScenario,
        updates: Bool
    ) -> ExitCode {
        let result = comparison.result
        Terminal.complain(result.findings)
        if !Terminal.printsJSON { Terminal.complain(result.summary(of: loaded.path) + "\n") }
        Terminal.changeResult { output in
            for member in result.json.members { output.members[member.name] = member.value }
        }
        guard result.compared > 0 else {
            return Terminal.refuse("no response was compared with \(loaded.path), so nothing is known about it")
        }
        guard !result.differences.isEmpty else { return .success }
        guard updates else { return .failed }
        let update = DriftUpdate(comparison.updates, of: loaded, files: DiskFiles())
        for (path, lines) in update.changes where !Terminal.printsJSON {
            Terminal.complain("\(path.printable):\n" + lines.map { "  \($0)\n" }.joined())
        }
        Terminal.complain(update.findings)
        if let problem = update.write(to: DiskFiles()) { return Terminal.refuse(problem) }
        for (path, _) in update.changes where !Terminal.printsJSON { Terminal.complain("updated \(path.printable)\n") }
        Terminal.changeResult { output in
            output.members["updated"] = .array(update.changes.map { .string($0.path) })
            output.next = ["backlot check \(loaded.path)"]
        }
        return update.findings.isEmpty ? .success : .failed
    }

    /// Refuses options that contradict each other.
    private static func refuseCombinations(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments[replay] != nil, arguments[scenario] != nil {
            throw arguments.misuse("--replay and SCENARIO are two scenarios; use one of them")
        }
        guard !arguments[update] || arguments[compare] != nil else {
            throw arguments.misuse("--update requires --compare SCENARIO")
        }
        guard arguments[offline] else {
            if arguments[upstream] == nil { throw arguments.misuse("the base URL of the backend is missing") }
            return
        }
        if arguments[replay] == nil {
            throw arguments.misuse("--offline responds from a recording; name its folder with --replay")
        }
        let others = [
            ("--record", arguments[record] != nil), ("--vault", arguments[vault]),
            ("--allow-sign-out", arguments[allowSignOut]), ("--compare", arguments[compare] != nil),
        ]
        if let (other, _) = others.first(where: \.1) {
            throw arguments.misuse("\(other) has no effect with --offline, because nothing is sent to the backend")
        }
    }

    /// Writes the rest of the recording, and reports it.
    private static func finish(_ recorder: TrafficRecorder, _ folder: DraftFolder) -> ExitCode {
        do {
            guard let backend = try recorder.finish() else {
                return Terminal.refuse("nothing was recorded, because no request was sent on")
            }
            Terminal.changeResult { $0.members["recording"] = .string(folder.path) }
            ImportCommand.report(backend, backend.files.map { FilePath.join(folder.path, $0.path) }, folder)
            return .success
        } catch {
            return Terminal.refuse(error.sentence)
        }
    }
}
