import Findings
import HTTPServing
import HTTPWire
import ScenarioFormat
import Simulation
import SocketIO
import Synchronization

/// Brings each request to its session or to the admin API.
///
/// A class, because the server's event loops share it and the server is attached to it after it was made.
final class StubHandler: HTTPHandler {
    /// The tag of the listener that every session can be reached on.
    static let mainListener = 0

    let library: ScenarioLibrary
    let configuration: StubServer.Configuration
    let sessions: SessionDirectory
    let log: ServerLog
    let shutdownRequest = Mutex<(@Sendable () -> Void)?>(nil)
    private let server = Mutex<HTTPServer?>(nil)
    private let listeners = Mutex(Listeners())
    private let adminPrefix = Array("/__backlot".utf8)

    /// Where the server can be reached, and the listeners that belong to one session each.
    private struct Listeners {
        var host = "127.0.0.1"
        var port: UInt16 = 0
        var sessions: [Int: String] = [:]
        var lastTag = StubHandler.mainListener
    }

    init(
        library: ScenarioLibrary,
        loaded: LoadedScenario,
        configuration: StubServer.Configuration,
        log: ServerLog
    ) {
        self.library = library
        self.configuration = configuration
        self.log = log
        let origin = LiveSession.Origin(
            loaded: loaded,
            stage: CompiledScenario(loaded.scenario, clock: configuration.clock),
            story: configuration.story,
            seed: configuration.seed
        )
        sessions = SessionDirectory(
            main: origin.begin(Session.defaultName, configuration),
            origin: origin
        )
    }

    /// Takes the server that serves this handler, for its timers and listeners.
    func attach(_ server: HTTPServer) {
        self.server.withLock { $0 = server }
    }

    func noteAddress(host: String, port: UInt16) {
        listeners.withLock {
            $0.host = host
            $0.port = port
        }
    }

    var address: (host: String, port: UInt16) {
        listeners.withLock { ($0.host, $0.port) }
    }

    /// The URL of a port of this server, as a client on this machine writes it.
    func baseURL(port: UInt16) -> String {
        let host = configuration.host
        return switch host {
        case "localhost", "*", "0.0.0.0": "http://127.0.0.1:\(port)"
        case _ where host.contains(":"): "http://[\(host)]:\(port)"
        default: "http://\(host):\(port)"
        }
    }

    var now: RealTime { RealTime(configuration.time.now()) }

    // MARK: Requests

    func willReadBody(of head: HTTPRequest, from peer: Peer) -> BodyIntake {
        guard !isAdmin(head.path), let session = session(for: head, from: peer, making: false)?.session else {
            return BodyIntake()
        }
        return BodyIntake(bytesPerSecond: session.origin.stage.uploadRate(for: head))
    }

    func respond(to request: HTTPRequest, from peer: Peer, with promise: ReplyPromise) -> Served {
        if isAdmin(request.path) { return .now(AdminAPI(self).reply(to: request, session: nil)) }
        guard let (session, request) = session(for: request, from: peer, making: true) else {
            return .now(HTTPReply(problem: .noSession))
        }
        if isAdmin(request.path) { return .now(AdminAPI(self).reply(to: request, session: session)) }
        let (served, alarm) = session.answer(request, from: peer, with: promise)
        set(alarm, for: session)
        return served
    }

    func reply(to refusal: HTTPRefusal, from peer: Peer) -> HTTPReply {
        log.refused(refusal, from: peer)
        return HTTPReply(
            problem: Problem(
                "not-http",
                status: refusal.status.code,
                title: "The request cannot be understood as HTTP",
                detail: refusal.sentence
            )
        )
    }

    func reply(toUnfinished request: UnfinishedRequest, from peer: Peer) -> HTTPReply {
        log.tooSlow(request)
        return HTTPReply(
            problem: Problem(
                "too-slow",
                status: 408,
                title: "The request did not arrive in time",
                detail: "\(request.sentence)."
            )
        )
    }

    func ended(exchange: UInt64, outcome: ExchangeOutcome) {
        let handle = ExchangeHandle(rawValue: exchange)
        guard exchange != 0, let session = sessions.session(ordinal: handle.session) else { return }
        let finished = session.end(handle.exchange, outcome, at: now)
        guard configuration.logsExchanges, let finished else { return }
        log.exchange(finished, session: session.name)
        scheduleFlush()
    }

    private func isAdmin(_ path: String) -> Bool {
        let bytes = path.utf8
        guard bytes.starts(with: adminPrefix) else { return false }
        let next = bytes.dropFirst(adminPrefix.count).first
        return next == nil || next == UInt8(ascii: "/")
    }

    private func session(
        for request: HTTPRequest,
        from peer: Peer,
        making: Bool
    ) -> (session: LiveSession, request: HTTPRequest)? {
        let listener = peer.listener == Self.mainListener ? nil : listeners.withLock { $0.sessions[peer.listener] }
        guard let address = try? SessionAddress(request, listener: listener) else { return nil }
        guard let name = address.name, name != Session.defaultName else { return (sessions.main, address.request) }
        let session =
            making
            ? sessions.session(named: name) { [origin = defaultOrigin] in (origin.begin(name, configuration), origin) }
            : sessions.session(named: name)
        return session.map { ($0, address.request) }
    }

    /// What a session plays that nobody told otherwise.
    var defaultOrigin: LiveSession.Origin { sessions.main.origin }

    // MARK: Timers

    /// An automatic clock jumps when nothing has arrived for so long.
    private static let quiet = Duration.milliseconds(5)
    private let flushes = Mutex(false)

    func set(_ alarm: LiveSession.Alarm, for session: LiveSession) {
        switch alarm {
        case .none: break
        case .at(let time): wake(session, at: time, jumping: false)
        case .whenQuiet: wake(session, at: configuration.time.now().advanced(by: Self.quiet), jumping: true)
        }
    }

    private func wake(_ session: LiveSession, at time: MonotonicTime, jumping: Bool) {
        server.withLock { $0 }?.schedule(at: time) { [weak self, weak session] in
            guard let self, let session else { return }
            set(session.wake(at: now, jumping: jumping), for: session)
        }
    }

    /// Log lines go out together, a moment after the first of them.
    private func scheduleFlush() {
        let isFirst = flushes.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        guard isFirst else { return }
        server.withLock { $0 }?.schedule(at: configuration.time.now().advanced(by: .milliseconds(10))) { [weak self] in
            guard let self else { return }
            flushes.withLock { $0 = false }
            log.flush()
        }
    }

    // MARK: Listeners

    /// Opens a listener that belongs to one session, and returns its port.
    func listen(for session: String) throws -> UInt16 {
        guard let server = server.withLock({ $0 }) else { return 0 }
        let tag = listeners.withLock { listeners in
            listeners.lastTag += 1
            listeners.sessions[listeners.lastTag] = session
            return listeners.lastTag
        }
        do {
            return try server.addListener(host: configuration.host, port: 0, tag: tag)
        } catch {
            listeners.withLock { $0.sessions[tag] = nil }
            throw error
        }
    }

    func closeListeners(of session: String) {
        let tags = listeners.withLock { listeners in
            let tags = listeners.sessions.filter { $0.value == session }.map(\.key)
            for tag in tags { listeners.sessions[tag] = nil }
            return tags
        }
        for tag in tags { server.withLock { $0 }?.removeListener(tag: tag) }
    }

    // MARK: Reloading

    /// Loads what each session plays again; returns the files to watch from now on.
    func reload() -> [String] {
        var watched: [String] = []
        var versions: [String: (loaded: LoadedScenario, stage: CompiledScenario)?] = [:]
        for session in sessions.all {
            let origin = session.origin
            if versions[origin.loaded.path] == nil {
                do throws(ScenarioError) {
                    let loaded = try library.load(path: origin.loaded.path)
                    versions[origin.loaded.path] = (
                        loaded, CompiledScenario(loaded.scenario, clock: configuration.clock)
                    )
                    log.reloaded(loaded)
                    watched += loaded.watched
                } catch {
                    versions[origin.loaded.path] = .some(nil)
                    log.keptLastVersion(error.findings)
                    watched += origin.loaded.watched + error.watched
                }
            }
            guard case let version?? = versions[origin.loaded.path] else { continue }
            session.reload(version.loaded, version.stage, at: now)
        }
        var seen: Set<String> = []
        return watched.filter { seen.insert($0).inserted }
    }
}

extension LiveSession.Origin {
    /// A session at its beginning.
    func begin(_ name: String, _ configuration: StubServer.Configuration) -> Session {
        Session(
            stage,
            name: name,
            seed: seed,
            start: start ?? stage.scenario.clock.start ?? configuration.calendar(),
            at: RealTime(configuration.time.now()),
            journal: configuration.journal
        )
    }
}

extension CompiledScenario {
    init(_ scenario: Scenario, clock: ClockOption) {
        var scenario = scenario
        scenario.clock = clock.over(scenario.clock)
        self.init(scenario)
    }
}

extension HTTPReply {
    init(problem: Problem) {
        self.init(problem.response)
    }
}

extension Problem {
    fileprivate static let noSession = Problem(
        "no-session",
        status: 400,
        title: "This session cannot be had",
        detail: "A session's name has 1 to 64 letters, digits, \"-\", \"_\" and \".\", and there are at most "
            + "\(SessionDirectory.capacity) sessions. Delete one with DELETE /__backlot/sessions/NAME."
    )
}
