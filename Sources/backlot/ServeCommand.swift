import Basics
import Checking
import CommandLineInterface
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import OpenAPI
import Rules
import ScenarioFormat
import Simulation
import StoryRunning
import StubServing

/// `backlot serve`: serves a scenario until it is stopped.
enum ServeCommand {
    private static let scenario = Positional(
        optional: "SCENARIO",
        .file(endings: TextFormat.endings, orFolder: true),
        "A story, a backend file or its folder, or an OpenAPI file; by default, the backend in this folder or in Scenarios"
    )
    private static let port = Option(
        "port",
        short: "p",
        "PORT",
        .integer(in: 0...65_535),
        default: Int(StubServer.defaultPort),
        environment: "BACKLOT_PORT",
        "The port to listen on; 0 chooses a free port"
    )
    private static let host = Option(
        "host",
        "HOST",
        .text("an address"),
        default: "localhost",
        environment: "BACKLOT_HOST",
        "The address to listen on; any address other than loopback requires --admin-token"
    )
    private static let lan = Option(
        flag: "lan",
        "Allow other machines on the local network to use the server, and show a QR code for a phone"
    )
    private static let story = Option("story", "ID", .text("a story's id"), "Play this story in the folder")
    private static let clock = Option(
        "clock",
        "CLOCK",
        ValueKind<ClockOption>(expected: ClockOption.expectation) { ClockOption($0) },
        "The clock: frozen, automatic, 60x, a timestamp, or two of these separated by a comma"
    )
    private static let fill = Option(
        "fill",
        "SOURCE",
        ValueKind<FillRule>(expected: "examples, schema or off") { FillRule(rawValue: $0) },
        "The source of responses for operations without a route: examples in the contract, or only its schemas"
    )
    /// The response of an OpenAPI file to requests without documented credentials.
    private enum Credentials: String {
        case ask
        case ignore
    }
    private static let auth = Option(
        "auth",
        "MODE",
        ValueKind<Credentials>(expected: "ask or ignore") { Credentials(rawValue: $0) },
        "The response to requests without the documented credentials, for an OpenAPI file: 401 (ask) or the usual "
            + "response (ignore)"
    )
    private static let formats = Option(
        flag: "formats",
        "Require values to match their format: a date, a UUID, an int32"
    )
    private static let journal = Option(
        "journal",
        "N",
        ValueKind<Journal.Capacity>(expected: "a number of exchanges, or all", read: capacity),
        "The number of exchanges to keep, or all; by default, 50000 exchanges and at most 64 MB"
    )
    private static let readyFile = Option(
        "ready-file",
        "FILE",
        .file(),
        "Write the base URL to this file once the server listens"
    )
    private static let open = Option(flag: "open", "Open the server's page in the browser")
    private static let noWatch = Option(flag: "no-watch", "Do not reload when a file changes")
    private static let quiet = Option(flag: "quiet", short: "q", "Do not log exchanges")
    static let root = Option("root", "FOLDER", .folder, "The folder that must contain all scenarios")
    private static let adminToken = Option(
        "admin-token",
        "TOKEN",
        .text("a secret"),
        environment: "BACKLOT_ADMIN_TOKEN",
        "Require this token for the admin API"
    )
    private static let followsInput = Option(
        flag: "until-input-ends",
        "Stop when standard input ends, so that the server does not outlive the program that started it"
    )
    private static let limits = Option(
        repeated: "limit",
        "NAME=SIZE",
        ValueKind<LimitOption>(expected: LimitOption.expectation) { LimitOption($0) },
        "The size limits of a request: target (414), fields and their count (431), body (413)"
    )
    private static let loops = Option(
        "loops",
        "N",
        .integer(in: 1...64),
        default: 2,
        environment: "BACKLOT_LOOPS",
        "The number of threads that share the connections"
    )

    static let description = CommandDescription(
        "serve",
        "Serve a scenario over HTTP on loopback",
        discussion: """
            Prints the base URL on standard output and a line for each exchange on standard error. Files are watched: \
            a valid edit takes effect immediately, and an invalid edit is reported and has no effect. Requests and \
            responses are checked against the scenario's contract. An OpenAPI file without a scenario is served from \
            its examples and schemas. With --json, the outcome in the last line is the verdict on the clients.
            """,
        examples: [
            "backlot serve": "Serve the backend in this folder or project",
            "backlot serve Scenarios/app/refresh-expired.json": "Play one story",
            "backlot serve Scenarios/app --story A-6 --clock frozen": "Play a story in a folder with a stopped clock",
            "backlot serve Scenarios/app --contract enforce": "Reject requests that violate the contract",
            "backlot serve openapi.json --fill schema":
                "Serve an OpenAPI file, with values generated from its schemas",
            "backlot serve Scenarios/app --tls": "Serve https and http on one port",
            "backlot serve Scenarios/app --lan": "Also serve a phone on the same network",
            "backlot serve Scenarios/app --port 0 --ready-file url.txt":
                "Choose a free port and write the URL to a file",
        ],
        options: options,
        positionals: [scenario],
        otherNames: ["start", "mock", "up", "play", "stub", "listen"],
        result: result
    )

    /// The members of the result of commands that serve until they are stopped.
    static let result: JSONObject = [
        "url": ["type": "string", "description": "The base URL, in the line that is printed at the start."],
        "unjudged": [
            "type": "integer", "minimum": 1,
            "description": "The number of sessions that were not judged; the outcome is then failed.",
        ],
    ]

    /// The options of commands that serve until they are stopped.
    static let options: [any OptionDeclaring] =
        [
            port, host, lan, story, StoryOptions.seed, clock, PlayOptions.contract, PlayOptions.overlay,
            PlayOptions.map,
            PlayOptions.refusalHold, fill, auth, formats,
            journal,
            readyFile, open, noWatch, quiet, root, adminToken, followsInput, limits, loops,
        ] + TLSOptions.all

    private static func capacity(_ text: String) -> Journal.Capacity? {
        if text == "all" { return .unlimited }
        return Int(text).flatMap { $0 > 0 ? Journal.Capacity(exchanges: $0) : nil }
    }

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitCode {
        try await serve(arguments, configuration(arguments)) {
            try ScenarioLibrary(arguments[scenario] ?? ScenarioLibrary.usualPath(), root: arguments[root])
        }
    }

    /// Serves until the command is stopped.
    ///
    /// - Parameter makeLibrary: Finds the scenario.
    static func serve(
        _ arguments: ParsedArguments,
        _ configuration: StubServer.Configuration,
        _ makeLibrary: () throws -> ScenarioLibrary
    ) async throws(UsageError) -> ExitCode {
        var configuration = configuration
        var addresses: [String] = []
        if arguments[lan] {
            if case .word = arguments.origin(of: host) {
                throw arguments.misuse("--lan and --host cannot be combined; keep one")
            }
            addresses = LocalNetwork.addresses
            guard !addresses.isEmpty else {
                return Terminal.refuse(
                    "this machine has no network address; connect the machine to a network, or remove --lan"
                )
            }
            configuration.host = "0.0.0.0"
            configuration.adminToken = configuration.adminToken ?? LocalNetworkNotice.secret()
        }
        guard configuration.adminToken != nil || SocketAddress.isLoopback(host: configuration.host) else {
            throw arguments.misuse(
                "\(configuration.host) can be reached from other machines, so the admin API requires a token: add --admin-token"
            )
        }
        try TLSOptions.apply(arguments, hosts: namedHosts(addresses, configuration.host), to: &configuration)
        StopSignals.hold()
        let log = ServerLog(isColoured: Terminal.showsColours) { Terminal.complainWithoutWaiting($0) }
        do {
            let library = try makeLibrary()
            // Listed while the scenario is loaded: every file next to it has to be read for that.
            let stories = DeepStack.Work { library.stories() }
            let server = try StubServer(library, configuration, log: log)
            return try await serve(server, library, stories, arguments) { port in
                guard !addresses.isEmpty else { return secureNotice(configuration) }
                let secret = arguments[adminToken] == nil ? configuration.adminToken : nil
                let isColoured = Terminal.showsColours
                return secureNotice(configuration)
                    + LocalNetworkNotice(
                        addresses,
                        port: port,
                        isSecure: configuration.prefersTLS,
                        secret: secret,
                        isColoured: isColoured
                    ).text
            }
        } catch let error as ScenarioError {
            if Terminal.printsJSON { return Terminal.refuse(error.findings) }
            log.report(error.findings)
            return .misuse
        } catch let error as ListeningProblem {
            return Terminal.refuse(error.sentence)
        } catch {
            return Terminal.refuse("\(error)")
        }
    }

    /// The names for the server's certificate, in addition to those of this machine: a wildcard means each of its addresses.
    private static func namedHosts(_ addresses: [String], _ host: String) -> [String] {
        if SocketAddress.isLoopback(host: host) { return addresses }
        return AdminAccess.isWildcard(host) ? LocalNetwork.addresses : addresses + [host]
    }

    /// The authority that clients must trust.
    private static func secureNotice(_ configuration: StubServer.Configuration) -> String {
        guard let file = configuration.certificates?()?.authorityFile else { return "" }
        return "Authority for https: \(file)   To make a client trust the authority: backlot certificate\n\n"
    }

    private static func serve(
        _ server: StubServer,
        _ library: ScenarioLibrary,
        _ stories: DeepStack.Work<[ScenarioLibrary.Entry]>,
        _ arguments: ParsedArguments,
        notice: (UInt16) -> String
    ) async throws -> ExitCode {
        server.onShutdownRequest = { StopSignals.raise() }
        let port = try await server.start()
        let url = server.url(port: port)
        let banner = Banner(
            server.loaded,
            library: library,
            stories: { stories.wait() ?? library.stories() },
            contract: server.contract as? Contract,
            url: url,
            origins: server.originURLs
        )
        Terminal.complain(banner.text + notice(port))
        Terminal.changeResult { result in
            result.members["url"] = .string(url)
            result.next = ["backlot journal --url \(url) --json", "backlot verdict --url \(url) --json"]
            Terminal.output(result.document(of: arguments.command.joined(separator: " "), nil, isDetailed: false))
        }
        if !Terminal.output(url + "\n") {
            Terminal.complain("warning: the URL cannot be written to standard output; the URL is \(url)\n")
        }
        let readyFile = arguments[readyFile]
        if let readyFile, let problem = Terminal.writeFile(readyFile, url) {
            await server.stop(within: .zero)
            return Terminal.refuse("the ready file \(readyFile) cannot be written: \(problem)")
        }
        if arguments[open], let problem = Browser.show("\(url)/__backlot/") { Terminal.complain(problem + "\n") }
        if arguments[followsInput] {
            try LoopThread.start {
                var input = StandardInput()
                while input.next() != nil {}
                StopSignals.raise()
            }
        }
        StopSignals.wait()
        // A process that waits for the file must not find a server that is leaving.
        if let readyFile { Terminal.removeFile(readyFile) }
        await server.stop()
        let (made, left) = server.verdicts(atMost: VerdictCommand.mostSessions, within: VerdictCommand.longestSummary)
        Terminal.complain(VerdictCommand.summary(of: made, unjudged: left))
        Terminal.changeResult { result in
            result.next = []
            let isUndecided = left > 0 && !made.isEmpty
            if isUndecided { result.members["unjudged"] = .number(JSONNumber(left)) }
            if isUndecided || made.contains(where: { $0.verdict.outcome != .passed }) { result.verdictCode = .failed }
            for session in made {
                result.findings += session.verdict.findings.map { CommandResult.SubjectFinding($0, of: session.story) }
            }
        }
        return .success
    }

    static func configuration(_ arguments: ParsedArguments) -> StubServer.Configuration {
        var configuration = PlayOptions.configuration(arguments)
        configuration.host = arguments[host]
        configuration.port = UInt16(clamping: arguments[port])
        configuration.story = arguments[story]
        configuration.seed = arguments[StoryOptions.seed].map { UInt64($0) }
        configuration.clock = arguments[clock] ?? ClockOption()
        configuration.fill = arguments[fill]
        configuration.asksCredentials = arguments[auth] ?? .ask == .ask
        configuration.assertsFormats = arguments[formats]
        configuration.journal = arguments[journal] ?? Journal.Capacity()
        configuration.watchesFiles = !arguments[noWatch]
        configuration.logsExchanges = !arguments[quiet]
        configuration.adminToken = arguments[adminToken]
        configuration.loops = arguments[loops]
        configuration.documents = SessionDocument.all(version: BacklotVersion.text)
        for limit in arguments[limits] { limit.apply(to: &configuration.limits) }
        return configuration
    }
}

/// The browser of the person at this machine.
enum Browser {
    #if canImport(Darwin)
        private static let opener = "open"
    #else
        private static let opener = "xdg-open"
    #endif

    /// Opens an address, without waiting for it.
    ///
    /// - Returns: a message if no program can open it.
    static func show(_ address: String) -> String? {
        do throws(SystemError) {
            let program = try ChildProcess(ProgramStart([opener, address], leadsGroup: true))
            // Its end is heard of elsewhere, so that it leaves nothing behind while the server runs.
            try LoopThread.start {
                program.waitForEnd()
                _ = program.end()
            }
            return nil
        } catch {
            return "warning: the page cannot be opened, because \(opener) cannot be started (\(error)); open \(address)"
        }
    }
}

/// A limit of the server as the command line sets it: `body=32MB`, `fields=128kB`, `count=200`, `target=16kB`.
struct LimitOption: Sendable {
    static let expectation = "a limit such as body=32MB, target=16kB, fields=128kB or count=200"

    private var name: String
    private var value: Int

    init?(_ text: String) {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        name = String(text[..<equals])
        let amount = text[text.index(after: equals)...]
        let digits = amount.prefix { ("0"..."9").contains($0) }
        let units = ["": 1, "B": 1, "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000]
        guard
            ["body", "target", "fields", "count"].contains(name),
            digits.count <= 9, let number = Int(digits), number > 0,
            let unit = units[String(amount.dropFirst(digits.count))], name != "count" || unit == 1
        else { return nil }
        value = number * unit
    }

    func apply(to limits: inout HTTPLimits) {
        switch name {
        case "body": limits.body = value
        case "target": limits.target = value
        case "fields": limits.fieldSection = value
        default: limits.fieldCount = value
        }
    }
}

/// The output of `serve` when it is ready: the scenario, the address, and its routes.
struct Banner {
    let text: String

    init(
        _ loaded: LoadedScenario,
        library: ScenarioLibrary,
        stories: () -> [ScenarioLibrary.Entry],
        contract: Contract?,
        url: String,
        origins: [String: String]
    ) {
        let scenario = loaded.scenario
        var lines: [String] = []
        if let story = scenario.story {
            lines.append("\(scenario.backend.printable) plays \(story.id): \(story.title.printable)")
            if !story.about.isEmpty { lines.append("  \(story.about.printable)") }
            if !story.reproduces.isEmpty {
                lines.append("  It reproduces \(story.reproduces.joined(separator: ", ").printable).")
            }
        } else if library.isContract {
            lines.append("\(scenario.backend.printable), from its contract \(library.path.printable)")
        } else {
            lines.append("\(scenario.backend.printable), with its normal behavior")
        }
        if let upstream = scenario.upstream {
            lines.append("Requests that no route handles are sent to \(upstream.printable).")
        }
        lines.append("")
        lines += Self.routes(scenario)
        if let contract { lines += Self.operations(of: contract, areServed: library.isContract) }
        if scenario.story == nil { lines += Self.stories(stories()) }
        lines.append("")
        if !scenario.expectations.isEmpty {
            let count = scenario.expectations.count
            let expectations = count == 1 ? "1 expectation" : "\(count) expectations"
            lines.append(
                "The story contains \(expectations). Check the client with: backlot verdict\(Self.option(url))"
            )
        }
        for origin in scenario.origins {
            if let url = origins[origin.name] { lines.append("Origin \(origin.name.printable): \(url)") }
        }
        lines.append("Page for a browser: \(url)/__backlot/")
        lines.append("Admin API: \(url)/__backlot/   Advance the clock: backlot clock advance 2h\(Self.option(url))")
        lines.append("")
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func routes(_ scenario: Scenario) -> [String] {
        scenario.routes.map { route in
            let tokens = route.requiredKinds.joined(separator: " and ")
            let method = route.key.method?.rawValue ?? "*"
            let padding = String(repeating: " ", count: max(0, 7 - method.count))
            return "  \(method)\(padding) \(route.key.template.text)" + (tokens.isEmpty ? "" : "  (\(tokens) token)")
        }
    }

    /// The maximum number of operations of a contract that is listed.
    private static let listed = 24

    private static func operations(of contract: Contract, areServed: Bool) -> [String] {
        let count = contract.operations.count
        let operations = count == 1 ? "1 operation" : "\(count) operations"
        guard areServed else { return ["", "Checked against \(contract.path), which documents \(operations)."] }
        var lines = contract.operations.prefix(listed).map { operation in
            let method = operation.method.rawValue
            return "  \(method)\(String(repeating: " ", count: max(0, 7 - method.utf8.count))) \(operation.path)"
        }
        if count > listed { lines.append("  … \(operations) in all") }
        return lines
    }

    private static func stories(_ stories: [ScenarioLibrary.Entry]) -> [String] {
        guard !stories.isEmpty else { return [] }
        let width = stories.map(\.id.count).max() ?? 0
        return ["", "Stories (--story ID):"]
            + stories.map { story in
                "  \(story.id)\(String(repeating: " ", count: width - story.id.count))  \(story.title)"
            }
    }

    /// The option with which the clock command finds this server, where it would not by itself.
    private static func option(_ url: String) -> String {
        url == "http://127.0.0.1:\(StubServer.defaultPort)" ? "" : " --url \(url)"
    }
}
