import Basics
import EventLoops
import HTTPServing
import ScenarioFormat
import StubServing
import TLS

/// The one server of this process, whose sessions are the servers that tests see.
///
/// It starts with the first of them and runs until the process ends. A class, because all of them share it.
final class ServerHost: Sendable {
    private static let shared = Lock<ServerHost?>(nil)

    /// A cache of stories, so that a thousand tests of one story read it once.
    private struct Known: Sendable {
        var scenario: PreparedScenario
        var stamps: [String: FileStamp?]
    }

    /// A story, and what the test says about its contract.
    private struct Reading: Hashable, Sendable {
        var story: ReadableStory
        /// `nil` if the test sets none.
        var readsContracts: Bool?
        /// A Boolean value that indicates whether there are certificates, by which the story's TLS is checked.
        var offersTLS: Bool
    }

    private struct State: Sendable {
        var known: [Reading: Known] = [:]
        var lastSession: UInt64 = 0
        /// By session, what is connected in this process.
        var connected: [String: [InProcessAddress]] = [:]
        var ports = InProcessPorts()
    }

    /// The number of stories that are kept for the next test.
    private static let knownStories = 200

    private let server: StubServer
    /// The certificates, once a test has asked for https.
    private let certificates: Lock<ServerCertificates?>
    let network: SimulatedNetwork
    private let state = Lock(State())

    /// The host, started when it is needed first.
    ///
    /// - Throws: ``ServerProblem`` when the system gives it no thread.
    static func running() throws -> ServerHost {
        try shared.withLock { shared in
            if let shared { return shared }
            let host = try ServerHost()
            shared = host
            return host
        }
    }

    init() throws {
        var configuration = StubServer.Configuration()
        configuration.host = "127.0.0.1"
        configuration.port = 0
        // One loop, so that what it is asked last it does last.
        configuration.loops = 1
        configuration.watchesFiles = false
        configuration.logsExchanges = false
        configuration.maximumSessions = 1_000_000
        configuration.usualRefusalHold = HostedSession.usualRefusalHold
        let certificates = Lock<ServerCertificates?>(nil)
        self.certificates = certificates
        configuration.certificates = { certificates.withLock { $0 } }
        // What the default session serves, which no test sees.
        let idle = try ReadableStory.idle.prepare(for: configuration)
        server = StubServer(idle, configuration, log: .silent)
        network = SimulatedNetwork(in: LoopSchedule(server), travelTime: { .zero })
        server.serve(network)
        do {
            try server.startWithoutListening()
        } catch {
            throw ServerProblem(description: "the system does not allow a server in this process (\(error))")
        }
    }

    /// Lets the servers also speak TLS, and returns the certificate of the authority that clients must trust.
    ///
    /// - Parameter new: The certificates if missing.
    func offerTLS(
        by new: @autoclosure () throws(TLSProblem) -> ServerCertificates = try ServerCertificates()
    ) throws -> [UInt8]? {
        do {
            return try certificates.withLock { certificates throws(TLSProblem) in
                if certificates == nil { certificates = try new() }
                return certificates?.authority?.certificate
            }
        } catch {
            throw ServerProblem(description: "the server cannot use TLS: \(error)")
        }
    }

    // MARK: Stories

    /// Reads a story, unless it was read before and its files are as they were.
    func prepare(
        _ story: BacklotServer.Story,
        _ contracts: BacklotServer.Contracts?,
        forwarder: (any RequestForwarder)? = nil,
        from file: String
    ) throws -> PreparedScenario {
        let readable = try story.readable(from: file)
        // Each test learns the tokens of its upstream itself.
        if forwarder != nil {
            return try readable.prepare(for: server.sessionConfiguration, contracts, forwarder: forwarder)
        }
        let reading = Reading(
            story: readable,
            readsContracts: contracts.map { $0.reader != nil },
            offersTLS: certificates.withLock { $0 != nil }
        )
        let files = DiskFiles()
        if let known = state.withLock({ $0.known[reading] }),
            known.stamps.allSatisfy({ files.stamp(of: $0.key) == $0.value })
        {
            return known.scenario
        }
        let scenario = try readable.prepare(for: server.sessionConfiguration, contracts)
        let watched = scenario.loaded.watched.filter { $0 != readable.virtualPath }
        let stamps = Dictionary(watched.map { ($0, files.stamp(of: $0)) }) { first, _ in first }
        state.withLock { state in
            // Tests have few stories; where they make many, each is used once.
            if state.known.count >= Self.knownStories { state.known = [:] }
            state.known[reading] = Known(scenario: scenario, stamps: stamps)
        }
        return scenario
    }

    // MARK: Sessions

    func addSession(
        playing scenario: PreparedScenario,
        _ transport: BacklotServer.Transport,
        seed: UInt64?,
        refusalHold: Duration?
    ) throws -> HostedSession {
        let number = state.withLock { state in
            state.lastSession += 1
            return state.lastSession
        }
        var port: UInt16?
        if case .socket(let wanted) = transport.way { port = wanted }
        do {
            return try server.addSession(
                named: "test-\(number)",
                playing: scenario,
                seed: seed,
                port: port,
                refusalHold: refusalHold
            )
        } catch {
            let wanted = port ?? 0
            throw ServerProblem(
                description: error.isPortInUse
                    ? "port \(wanted) is in use, perhaps by another test; remove the port to use a free port"
                    : "the server cannot listen: \(error.sentence)"
            )
        }
    }

    /// Returns whether there is a session of this name.
    func hasSession(named name: String) -> Bool { server.hasSession(named: name) }

    /// Returns when everything that was under way has been noted.
    func settle() async { await server.settle() }

    // MARK: In this process

    /// Connects the addresses of a session with the network in this process, each once.
    func connect(_ session: HostedSession, _ origins: [(url: String, name: String?)]) {
        for (url, name) in origins {
            let port = state.withLock { state -> UInt16? in
                guard !(state.connected[session.name] ?? []).contains(where: { $0.url == url }),
                    let port = state.ports.take()
                else { return nil }
                state.connected[session.name, default: []].append(InProcessAddress(url: url, port: port))
                return port
            }
            guard let port else { continue }
            let tag = session.addListener(origin: name, port: port)
            _ = try? network.addListener(host: "127.0.0.1", port: port, tag: tag)
            state.withLock { state in
                let last = (state.connected[session.name]?.count ?? 0) - 1
                if last >= 0 { state.connected[session.name]?[last].tag = tag }
            }
            let client = InProcessClient(network: network, port: port, session: session)
            InProcessOrigins.shared.set(.init { try await client.send($0) }, for: url)
        }
    }

    func disconnect(_ session: HostedSession) {
        let addresses = state.withLock { $0.connected.removeValue(forKey: session.name) } ?? []
        for address in addresses {
            InProcessOrigins.shared.set(nil, for: address.url)
            network.removeListener(tag: address.tag)
            state.withLock { $0.ports.giveBack(address.port) }
        }
    }
}

/// The ports of the network in this process that are free.
struct InProcessPorts: Sendable {
    private var free: [UInt16] = []
    private var next: UInt16 = 1

    /// - Returns: `nil` when all 65,534 are taken.
    mutating func take() -> UInt16? {
        if let port = free.popLast() { return port }
        guard next < .max else { return nil }
        defer { next += 1 }
        return next
    }

    mutating func giveBack(_ port: UInt16) { free.append(port) }
}

/// The name of a session in this process.
struct InProcessAddress: Sendable {
    var url: String
    var port: UInt16
    var tag = 0

    /// The top-level domain is reserved for tests (RFC 6761, section 6.2), so that the name is unused elsewhere.
    static func url(of session: String) -> String { "http://\(session).backlot.test" }

    /// By name; host names cannot have every letter that names of origins have, so these are counted.
    static func originURLs(_ names: [String], of session: String) -> [String: String] {
        let pairs = names.enumerated().map { ($1, "http://origin-\($0 + 1).\(session).backlot.test") }
        return Dictionary(pairs) { first, _ in first }
    }
}

/// Appointments on the loop of a server.
private final class LoopSchedule: EventSchedule {
    private struct State {
        var last: UInt64 = 0
        var pending: [UInt64: @Sendable () -> Void] = [:]
    }

    private let server: StubServer
    private let time = SystemTime()
    private let state = Lock(State())

    init(_ server: StubServer) { self.server = server }

    func now() -> MonotonicTime { time.now() }

    var passesByItself: Bool { time.passesByItself }

    func loop(_ loop: EventLoop.Handle, waitsUntil deadline: MonotonicTime, hasWorked: Bool) {}

    func loopEnded(_ loop: EventLoop.Handle) {}

    @discardableResult
    func schedule(at moment: MonotonicTime, _ work: @escaping @Sendable () -> Void) -> UInt64 {
        let number = state.withLock { state in
            state.last += 1
            state.pending[state.last] = work
            return state.last
        }
        _ = server.schedule(at: moment) { [weak self] in
            self?.state.withLock { $0.pending.removeValue(forKey: number) }?()
        }
        return number
    }

    func cancel(_ event: UInt64) { state.withLock { $0.pending[event] = nil } }
}
