import Basics
package import EventLoops
package import HTTPCodec
package import HTTPServing
package import JSON
package import Rules
package import ScenarioFormat
package import Simulation
import TLS

/// Plays a scenario over HTTP: its sessions, its admin API, and its files as they change.
///
/// A class, because it is the one thing that owns the server: its holder can stop it.
package final class StubServer: Sendable {
    package struct Configuration: Sendable {
        /// `localhost` is 127.0.0.1 and ::1 on the same port.
        package var host = "localhost"
        /// 0 takes a free port.
        package var port: UInt16 = StubServer.defaultPort
        /// The id of the story to play, instead of the file that was named.
        package var story: String?
        package var seed: UInt64?
        package var clock = ClockOption()
        /// The real time for which refusals of tokens and responses to refreshes are held; the story's when `nil`.
        package var refusalHold: Duration?
        /// The same for stories that do not say it.
        package var usualRefusalHold = Duration.zero
        /// The default where clients are judged: longer than the intervals of requests of one screen.
        package static let judgingRefusalHold = Duration.milliseconds(50)
        /// The handling of contract violations; ``ContractMode/warn`` when `nil`.
        package var contract: ContractMode?
        /// Reads the contracts that scenarios name; they stay unread when `nil`, and responses cannot come from them.
        package var contractReader: (any ContractReader)?
        /// Sends requests on to other servers; those that a scenario sends on get 502 when `nil`.
        package var forwarder: (any RequestForwarder)?
        /// The base URL of the server that gets the requests that no route handles; the scenario's when `nil`.
        package var upstream: String?
        /// A Boolean value that indicates whether the scenario is a recording, whose routes respond only to the requests
        /// that it contains; without ``upstream``, all other requests are refused.
        package var replays = false
        /// A Boolean value that indicates whether requests are sent on that end the session of a real user.
        package var allowsSignOut = false
        /// Files of changes that are laid over the contract, in this order.
        package var overlays: [String] = []
        /// The source of responses for operations without a route; the scenario's when `nil`.
        package var fill: FillRule?
        /// A Boolean value that indicates whether an OpenAPI file alone answers 401 to requests that lack the
        /// credentials which it documents.
        package var asksCredentials = false
        /// A Boolean value that indicates whether values of requests and responses must be of their `format`.
        package var assertsFormats = false
        package var journal = Journal.Capacity()
        package var watchesFiles = true
        /// Required for the admin API when it is set.
        package var adminToken: String?
        /// The maximum number of sessions.
        package var maximumSessions = 10_000
        /// The size limit of the journals of all sessions together, in bytes; a journal that keeps everything is not bounded.
        package var journalBytes = 1 << 30
        /// The maximum size of the items, files and data of tokens that requests have stored in all sessions; 1 GB.
        package var storedBytes = 1 << 30
        /// The maximum size of the unfinished messages of all WebSockets together; 256 MB.
        package var unfinishedMessages = 256 << 20
        package var loops = 2
        package var limits = HTTPLimits(body: 64 << 20)
        /// The time limits of clients; they count on ``time``.
        package var deadlines = Deadlines()
        /// Returns the certificates when a client begins a handshake; `nil` for a server without TLS.
        package var certificates: (@Sendable () -> ServerCertificates?)?
        /// A Boolean value that indicates whether the base URLs begin with `https`.
        package var prefersTLS = false
        /// The options of the command that set up TLS, for the command that repeats a run.
        package var tlsOptions: [String] = []
        package var selector = SelectorKind.fromEnvironment
        package var time: any TimeSource = SystemTime()
        /// A Boolean value that indicates whether the client's process has something to do at this moment, where that
        /// is known: gates and an automatic clock then wait longer before they take quiet for an end, and refusals are
        /// held longer.
        package var isClientAtWork: (@Sendable () -> Bool)?
        /// Carries requests without sockets, in the same time; over sockets when `nil`.
        package var network: SimulatedNetwork?
        /// The calendar time with which scenarios begin.
        package var calendar: @Sendable () -> VirtualTime = {
            VirtualTime(microseconds: WallClock.nanosecondsSince1970() / 1_000)
        }
        /// A Boolean value that indicates whether there is a line for each exchange.
        package var logsExchanges = true
        /// A document of a session for people to save, such as a report.
        package var documents: [SessionDocument] = []

        package init(contractReader: (any ContractReader)? = nil) {
            self.contractReader = contractReader
        }
    }

    /// The default port of `serve`; not the default of another tool.
    package static let defaultPort: UInt16 = 9847

    let handler: StubHandler
    /// `nil` where a simulated network carries the requests.
    let server: HTTPServer?
    private let configuration: Configuration

    /// Loads the scenario and makes the server; it listens after ``start()``.
    ///
    /// - Throws: ``ScenarioError`` when the scenario cannot be played.
    package convenience init(
        _ library: ScenarioLibrary,
        _ configuration: Configuration,
        log: ServerLog
    ) throws(ScenarioError) {
        var contracts = ReadContracts()
        self.init(try PreparedScenario(library, configuration, contracts: &contracts), configuration, log: log)
    }

    /// Makes a server for a scenario that was read with the same story, clock, contract mode and fill.
    package init(_ scenario: PreparedScenario, _ configuration: Configuration, log: ServerLog) {
        self.configuration = configuration
        let preparation = ScenarioPreparation(library: scenario.library, configuration: configuration)
        let prepared = scenario.prepared
        handler = StubHandler(preparation, prepared, log: log)
        if let network = configuration.network {
            server = nil
            network.serve(handler)
            handler.attach(network)
        } else {
            var options = HTTPServer.Configuration(configuration)
            if configuration.certificates != nil {
                options.tls = { [handler] (listener) throws(TLSProblem) in try handler.answer(toHandshakeOn: listener) }
            }
            let server = HTTPServer(configuration: options, handler: handler)
            self.server = server
            handler.attach(server)
        }
        log.report(prepared.loaded.findings)
    }

    /// The scenario that the default session plays.
    package var loaded: LoadedScenario { handler.sessions.main.setup.loaded }

    /// The contract of the default session.
    package var contract: (any ServedContract)? { handler.sessions.main.setup.contract?.source }

    /// Listens, and returns the port.
    package func start() async throws(ListeningProblem) -> UInt16 {
        let port: UInt16
        do throws(SystemError) {
            try server?.start()
            guard let host = handler.server else { throw SystemError("listen", .invalidArgument) }
            port = try host.addListener(
                host: configuration.host,
                port: configuration.port,
                tag: StubHandler.mainListener
            )
            try handler.openOrigins()
        } catch {
            await stop(within: .zero)
            throw ListeningProblem(error, host: configuration.host, port: configuration.port)
        }
        handler.noteAddress(host: configuration.host, port: port)
        if configuration.watchesFiles { lookAgain() }
        if let contract { Task.detached(priority: .utility) { contract.prepare() } }
        return port
    }

    /// The base URL for clients on this machine.
    package func url(port: UInt16) -> String {
        handler.baseURL(port: port)
    }

    /// Finishes what runs, within the time given, and closes; responses that wait for a session's clock are let go.
    package func stop(within grace: Duration = .seconds(2)) async {
        for session in handler.sessions.all { session.endLife() }
        await server?.stop(graceful: grace)
        configuration.network?.close()
        handler.attach(nil)
        handler.log.flush()
    }

    /// Called when a call of the admin API has asked for the server's end, and has been answered.
    package var onShutdownRequest: (@Sendable () -> Void)? {
        get { handler.shutdownRequest.withLock { $0 } }
        set { handler.shutdownRequest.withLock { $0 = newValue } }
    }

    private func lookAgain() {
        let next = configuration.time.now().advanced(by: FileWatch.interval)
        handler.server?.schedule(at: next) { [weak self] in
            guard let self else { return }
            handler.lookAtFiles()
            lookAgain()
        }
    }
}

extension HTTPServer.Configuration {
    fileprivate init(_ configuration: StubServer.Configuration) {
        self.init()
        loops = configuration.loops
        limits = configuration.limits
        // Four of the largest, however large they may be.
        unfinishedBodies = max(unfinishedBodies, limits.body > .max / 4 ? .max : 4 * limits.body)
        deadlines = configuration.deadlines
        selector = configuration.selector
        time = configuration.time
        // Bodies that are sent on have no limit; every other one has its own.
        if configuration.forwarder != nil { limits.body = .max }
    }
}

/// The access of a story runner to a server in addition to its URL; all of it is about the default session.
extension StubServer {
    /// The recording so far, with its verdict.
    ///
    /// - Parameters:
    ///   - exits: how the client's launches have ended.
    ///   - processExits: the same by process, where several share the session.
    package func recording(exits: [Int] = [], processExits: [String: [Int]] = [:]) -> Recording {
        let session = handler.sessions.main
        let (copy, loaded, now) = session.copy(at: handler.now)
        return Recording(
            copy,
            file: loaded.path,
            in: loaded.sources,
            exits: exits,
            processExits: processExits,
            at: now
        )
    }

    /// The refused requests so far.
    package var refusals: Refusals { handler.refusals.withLock { $0 } }

    /// The numbers of the launches that the played story has, from 1.
    package var launches: [Int] {
        handler.sessions.main.copy(at: handler.now).session.played.scenario.launches
    }

    /// The defect of the client's store in a launch.
    package func storeFault(of launch: Int) -> StoreFault? {
        handler.sessions.main.copy(at: handler.now).session.played.scenario.storeFault(of: launch)
    }

    /// Lets time pass until the moment of a launch, with everything that is due on the way, and begins it.
    package func begin(launch: Int) {
        try? main.access { session, now in session.begin(launch: launch, at: now) }
    }

    /// Lets so much of the story's time pass, with everything that is due on the way.
    package func advance(by duration: Duration) { main.advance(by: duration) }

    /// The present moment of the story, in seconds since 1970.
    package var moment: Double { Double(main.moment.microseconds) / 1e6 }

    /// A Boolean value that indicates whether requests wait at a gate.
    package var isHolding: Bool { handler.sessions.main.isHolding }

    /// Takes in what a client tells about itself, as `POST /__backlot/client` does.
    ///
    /// - Parameter process: the process that tells it, where several share the session.
    /// - Returns: why it cannot be taken in, as a sentence; `nil` when it was.
    package func report(_ facts: JSONObject, by process: String? = nil) -> String? {
        main.report(facts, by: process)
    }

    /// The devices of the session and every token of each, with values.
    package var tokens: JSONValue { main.tokens }

    /// The file with the certificate that clients must trust; `nil` if none is known.
    package var authorityFile: String? { configuration.certificates?()?.authorityFile }

    /// The base URLs of the story's other servers, by name.
    package var originURLs: [String: String] { main.originURLs }

    private var main: HostedSession { HostedSession(handler, handler.sessions.main, url: nil) }
}
