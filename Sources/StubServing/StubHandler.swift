import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import Simulation
import TLS

/// Brings each request to its session or to the admin API.
///
/// A class, because the server's event loops share it and the server is attached to it after it was made. Listeners
/// are in `StubHandler+Listeners.swift`.
final class StubHandler: HTTPHandler {
    let preparation: ScenarioPreparation
    let sessions: SessionDirectory
    let log: ServerLog
    let shutdownRequest = Lock<(@Sendable () -> Void)?>(nil)
    let listeners = Lock(ListenerTable())
    let watch: Lock<FileWatch>
    let isFlushing = Lock(false)
    let refusals = Lock(Refusals())
    /// Those that follow what changes.
    let changeFeed = Lock(ChangeFeed())
    /// Work that would block an event loop too long.
    let background = BackgroundWorkQueue()
    private let logWriter = BackgroundWorkQueue()
    private let reader = BackgroundWorkQueue()
    let time: any TimeSource
    private let logsExchanges: Bool
    /// The clock for the end of a response that is sent immediately, whose end the server is not notified of.
    private let sendingTime: (any TimeSource)?
    private let attached = Lock<(any HTTPHost)?>(nil)

    init(_ preparation: ScenarioPreparation, _ prepared: ScenarioPreparation.Prepared, log: ServerLog) {
        self.preparation = preparation
        self.log = log
        let configuration = preparation.configuration
        let host = ForwardingSessions()
        time = configuration.time
        logsExchanges = configuration.logsExchanges
        sendingTime = configuration.network == nil ? configuration.time : nil
        watch = Lock(FileWatch(configuration.watchesFiles ? prepared.loaded.watched : []))
        let setup = LiveSession.Setup(prepared: prepared, story: configuration.story, seed: configuration.seed)
        sessions = SessionDirectory(
            main: setup.begin(Session.defaultName, configuration),
            setup: setup,
            capacity: configuration.maximumSessions,
            runtime: SessionRuntime(
                journalBytes: configuration.journal == .unlimited ? .max : configuration.journalBytes,
                measuresLag: configuration.time.passesByItself,
                log: configuration.logsExchanges ? log : nil,
                forward: Self.forwarding(by: configuration.forwarder, host)
            )
        )
        let this: @Sendable () -> StubHandler? = { [weak self] in self }
        host.handler.withLock { $0 = this }
        sessions.runtime.shrinkJournals { [weak self] ordinal in
            guard let self else { return }
            background.take { [weak self] in self?.sessions.shrinkJournals(for: ordinal) }
        }
        sessions.runtime.wakeSessions { [weak self] in self?.wake($1, at: $0) }
    }

    private static func forwarding(
        by forwarder: (any RequestForwarder)?,
        _ host: ForwardingSessions
    ) -> (@Sendable (ForwardedExchange) -> (any ResponseProducer)?)? {
        guard let forwarder else { return nil }
        return { forwarder.producer(for: $0, of: host) }
    }

    var library: ScenarioLibrary { preparation.library }

    var configuration: StubServer.Configuration { preparation.configuration }

    /// Takes the server that serves this handler, for its timers and listeners; `nil` lets go of it.
    func attach(_ server: (any HTTPHost)?) {
        attached.withLock { $0 = server }
    }

    var server: (any HTTPHost)? { attached.withLock { $0 } }

    var now: MonotonicTime { time.now() }

    /// The setup of a new session.
    var defaultSetup: LiveSession.Setup { sessions.main.setup }

    // MARK: Requests

    func willReadBody(of head: HTTPRequest, from peer: Peer) -> BodyIntake {
        routed(head, from: peer, isWhole: false)?.intake ?? BodyIntake(limit: configuration.limits.body)
    }

    func route(_ head: HTTPRequest, from peer: Peer, known: (any RoutedHead)?) -> (any RoutedHead)? {
        if let known = known as? RoutedRequest, let session = sessions.session(ordinal: known.ordinal),
            session.play === known.play
        {
            return known
        }
        return routed(head, from: peer, isWhole: !head.framing.announcesBody)
    }

    /// Finds the session and the route of a request; `nil` where it has none, which ``respond(to:from:with:)`` tells.
    ///
    /// - Parameter isWhole: whether the request is there with its head, so that it may make its session.
    private func routed(_ head: HTTPRequest, from peer: Peer, isWhole: Bool) -> RoutedRequest? {
        let (owner, origin) = owner(ofListener: peer.listener)
        guard
            case .name(let listener) = owner,
            let address = SessionAddress(head, listener: listener),
            ReservedPath.admin.rest(of: address.request.path) == nil,
            PageAccess.refusal(of: head, rule: crossOriginRule, host: configuration.host) == nil
        else { return nil }
        if let name = address.name, !isWhole, sessions.session(named: name) == nil {
            // It will be made when the request is complete, and begins as the default one is.
            return RoutedRequest(address, of: sessions.main, at: origin, isBeforeItsSession: true, configuration.limits)
        }
        return session(named: address.name).flatMap { session in
            lackOfTLS(in: session, from: peer) == nil
                ? RoutedRequest(address, of: session, at: origin, configuration.limits) : nil
        }
    }

    /// The response to a client that has not connected by the TLS that the session's scenario defines; `nil` for others.
    private func lackOfTLS(in session: LiveSession, from peer: Peer) -> Problem? {
        guard session.played.scenario.requiresTLS else { return nil }
        if !peer.isSecure { return .requiresTLS(isOffered: configuration.certificates != nil) }
        return self.session(ofListener: peer.listener) === session ? nil : .requiresOwnListener
    }

    /// The `cors` of the default session's scenario, as in all sessions.
    private var crossOriginRule: CrossOrigin? { sessions.main.play.played.scenario.crossOrigin }

    func readyResponse(
        to request: HTTPRequest,
        routed: any RoutedHead,
        isKnown: Bool,
        from peer: Peer
    ) -> ReadyResponse? {
        guard let routed = routed as? RoutedRequest, routed.plain != nil, let sendingTime,
            let session = sessions.session(ordinal: routed.ordinal),
            let (response, ended) = session.answerAtOnce(
                request,
                routed,
                isKnown: isKnown,
                from: peer,
                sent: sendingTime,
                isLogged: logsExchanges
            )
        else { return nil }
        write(ended, of: session)
        return response
    }

    func respond(
        to request: HTTPRequest,
        routed: (any RoutedHead)?,
        from peer: Peer,
        with promise: ResponsePromise
    ) -> Served {
        guard let routed = routed as? RoutedRequest, let session = sessions.session(ordinal: routed.ordinal) else {
            return respond(to: request, from: peer, with: promise)
        }
        return respond(to: routed.request(request), routed, in: session, from: peer, with: promise)
    }

    func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
        let (owner, origin) = owner(ofListener: peer.listener)
        guard case .name(let listener) = owner else {
            return .now(OutgoingResponse(problem: .goneSession))
        }
        guard let address = SessionAddress(request, listener: listener) else {
            return .now(OutgoingResponse(problem: .badSessionName))
        }
        if ReservedPath.admin.rest(of: address.request.path) != nil {
            var address = address
            if let process = process(ofListener: peer.listener) {
                address.request.fields.append(AdminAPI.processField, process)
            }
            return answer(address, with: promise)
        }
        if let problem = PageAccess.refusal(of: request, rule: crossOriginRule, host: configuration.host) {
            log.refused(problem)
            return .now(OutgoingResponse(problem: problem))
        }
        guard let session = session(named: address.name) else {
            return .now(OutgoingResponse(problem: .tooManySessions(sessions.capacity)))
        }
        if let problem = lackOfTLS(in: session, from: peer) {
            log.refused(problem)
            return .now(OutgoingResponse(problem: problem))
        }
        let routed = RoutedRequest(address, of: session, at: origin, configuration.limits)
        return respond(to: address.request, routed, in: session, from: peer, with: promise)
    }

    private func respond(
        to request: HTTPRequest,
        _ routed: RoutedRequest,
        in session: LiveSession,
        from peer: Peer,
        with promise: ResponsePromise
    ) -> Served {
        let (served, ended) = session.answer(
            request,
            routed,
            from: peer,
            with: promise,
            bodyLimit: configuration.limits.body,
            sent: sendingTime,
            isLogged: logsExchanges,
            remarks: routed.mayBeForwarded ? configuration.forwarder?.remarks(on: request) : nil
        )
        write(ended, of: session)
        return served
    }

    /// Lets the admin API answer, here or elsewhere.
    private func answer(_ address: SessionAddress, with promise: ResponsePromise) -> Served {
        guard AdminAPI.isLengthy(address.request) else {
            return .now(AdminAPI(self).response(to: address.request, session: address.name, with: promise))
        }
        background.take { [self] in
            promise.fulfil(AdminAPI(self).response(to: address.request, session: address.name, with: promise))
        }
        return .later
    }

    func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
        refusals.withLock { $0.note(refusal.sentence) }
        log.refused(refusal, from: peer)
        return OutgoingResponse(problem: Problem(refusal))
    }

    func response(toUnfinished request: UnfinishedRequest, from peer: Peer) -> OutgoingResponse {
        refusals.withLock { $0.note(request.sentence) }
        log.unfinished(request)
        return OutgoingResponse(problem: Problem(request))
    }

    /// Responds to a client that begins a handshake.
    func answer(toHandshakeOn listener: Int) throws(TLSProblem) -> TLSAnswer {
        guard let certificates = configuration.certificates?() else { return .refusal }
        guard let session = session(ofListener: listener) else { return .handshake(certificates.context) }
        return try session.answerToHandshake(by: certificates, at: now)
    }

    /// The session of the clients that connect to a listener and name no other session; `nil` for one that has ended.
    private func session(ofListener listener: Int) -> LiveSession? {
        guard case .name(let name) = owner(ofListener: listener).owner else { return nil }
        return sessions.session(named: name ?? Session.defaultName)
    }

    func failed(_ failure: TLSFailure, from peer: Peer) {
        session(ofListener: peer.listener)?.note(failure, on: peer.listener, at: now)
        if failure == .unused { return }
        refusals.withLock { refusals in
            refusals.note(
                "TLS failed, because \(failure.sentence)",
                advice: failure.isOfCertificate && configuration.certificates?()?.authorityFile != nil
                    ? "make the client trust the certificate authority whose file BACKLOT_CA contains" : nil
            )
        }
        log.failed(failure)
    }

    func closed(_ peer: Peer, unsent limit: Int) {
        log.closed(unsent: limit)
    }

    var isClientAtWork: Bool { configuration.isClientAtWork?() ?? false }

    func ended(exchange: UInt64, outcome: ExchangeOutcome) {
        guard exchange != 0 else { return }
        let handle = ExchangeHandle(rawValue: exchange)
        guard handle != .shutdown else {
            shutdownRequest.withLock { $0 }?()
            return
        }
        guard !handle.isListener else { return changeFeed.withLock { $0.remove(handle.exchange) } }
        guard let session = sessions.session(ordinal: handle.session) else { return }
        write(session.end(handle.exchange, outcome, at: now, isLogged: logsExchanges), of: session)
    }

    func received(_ bytes: [UInt8], exchange: UInt64) {
        let handle = ExchangeHandle(rawValue: exchange)
        sessions.session(ordinal: handle.session)?.receive(bytes, of: handle.exchange, at: now)
    }

    func clientLeft(_ peer: Peer, before promise: ResponsePromise) {
        guard let client = sessions.runtime.removeHeld(promise),
            let session = sessions.session(ordinal: client.session)
        else { return }
        write(session.leave(client.holder, promise, at: now, isLogged: logsExchanges), of: session)
    }

    private func write(_ finished: Exchange?, of session: LiveSession) {
        guard let finished, log.exchange(finished, session: session.name) else { return }
        flushSoon()
    }

    /// The session of a name, created if missing; where there is no room, the longest idle sessions make place.
    func claim(_ name: String, make: () -> (Session, LiveSession.Setup)) -> SessionDirectory.Claim {
        let claim = sessions.claim(name, make: make)
        guard case .full = claim else { return claim }
        let idle = sessions.idleSessions(at: now)
        guard !idle.isEmpty else { return claim }
        for session in idle {
            closeListeners(of: session.name)
            sessions.remove(session.name)?.endLife()
        }
        log.say("\(idle.count) sessions were removed after 10 minutes without activity to make room for new sessions")
        return sessions.claim(name, make: make)
    }

    /// The session that a client's request is for, made when it is the first to name it.
    private func session(named name: String?) -> LiveSession? {
        guard let name, name != Session.defaultName else { return sessions.main }
        return claim(name) {
            let setup = defaultSetup
            // A session that shares its listeners opens none, so this cannot fail.
            return ((try? begin(setup, named: name)) ?? setup.begin(name, configuration), setup)
        }.session
    }
}

extension LiveSession.Setup {
    /// A session at its beginning.
    func begin(_ name: String, _ configuration: StubServer.Configuration) -> Session {
        var session = Session(
            played,
            name: name,
            seed: seed,
            start: start ?? played.scenario.clock.start ?? configuration.calendar(),
            at: configuration.time.now(),
            journal: configuration.journal
        )
        session.refusalHold = configuration.refusalHold(in: played.scenario)
        session.allowsSignOut = configuration.allowsSignOut
        return session
    }
}

extension StubServer.Configuration {
    /// A backend without a story is for trying things out, and nothing is judged there.
    func refusalHold(in scenario: Scenario) -> Duration {
        refusalHold ?? scenario.refusalHold ?? (scenario.story == nil ? .zero : usualRefusalHold)
    }
}

extension CompiledScenario {
    convenience init(_ scenario: Scenario, clock: ClockOption) {
        var scenario = scenario
        scenario.clock = clock.over(scenario.clock)
        self.init(scenario)
    }
}

extension OutgoingResponse {
    init(problem: Problem) {
        self.init(problem.response)
    }
}

extension StubHandler {
    /// Wakes a session at a moment, and again as often as it asks for it.
    func wake(_ session: LiveSession, at alarm: MonotonicTime) {
        server?.schedule(at: alarm) { [weak self, weak session] in
            guard let self, let session else { return }
            // Asked before the session is locked, because the system takes its time to answer.
            let isAtWork = session.waitsForQuiet && configuration.isClientAtWork?() ?? false
            session.wake(by: alarm, at: now, isClientAtWork: isAtWork)
        }
    }

    /// The time for which log lines wait to be written with others.
    private static let gathering = Duration.milliseconds(10)

    /// Writes the log after a moment, on a separate thread; all entries until then are included.
    func flushSoon() {
        let isFirst = isFlushing.withLock { isFlushing in
            defer { isFlushing = true }
            return !isFlushing
        }
        guard isFirst else { return }
        server?.schedule(at: time.now().advanced(by: Self.gathering)) { [weak self] in
            self?.logWriter.take { [weak self] in
                guard let self else { return }
                isFlushing.withLock { $0 = false }
                if !log.flush() { flushSoon() }
            }
        }
    }
}

/// Listeners of the stories' other servers.
///
/// The default session has one for each, which sessions without their own listener share by header or prefix.
extension StubHandler {
    /// Opens the listeners that a session needs for what it plays, and returns every origin's base URL by name.
    ///
    /// A session that shares listeners has a URL for those origins only that the default session has, too.
    func openOrigins(of session: String, playing played: CompiledScenario) throws(SystemError) -> [String: String] {
        let isMain = session == Session.defaultName
        let ownsListener = listeners.withLock { $0.sessions.values.contains(session) }
        let owner = isMain ? nil : session
        var urls: [String: String] = [:]
        for origin in played.scenario.origins {
            if isMain || ownsListener {
                urls[origin.name] = baseURL(port: try openOrigin(origin.name, of: owner))
            } else if let port = port(ofOrigin: origin.name, of: nil) {
                urls[origin.name] = "\(baseURL(port: port))/__session/\(session)"
            }
        }
        return urls
    }

    /// Opens the listeners of what the default session plays first.
    func openOrigins() throws(SystemError) {
        let main = sessions.main
        main.set(originURLs: try openOrigins(of: main.name, playing: main.played))
    }

    /// Closes the listeners of origins that a session's story does not have.
    func closeOrigins(of session: String, missingIn played: CompiledScenario) {
        let owner = session == Session.defaultName ? nil : session
        let names = played.scenario.origins.map(\.name)
        closeListeners { listeners in
            listeners.origins.filter { $0.value.session == owner && !names.contains($0.value.name) }.map(\.key)
        }
    }

    /// A session at its beginning, with the base URLs of its story's other servers.
    func begin(_ setup: LiveSession.Setup, named name: String) throws(SystemError) -> Session {
        var session = setup.begin(name, configuration)
        if !setup.played.scenario.origins.isEmpty {
            session.originURLs = try openOrigins(of: name, playing: setup.played)
        }
        return session
    }

    private func port(ofOrigin name: String, of session: String?) -> UInt16? {
        listeners.withLock { listeners in
            listeners.origins.values.first { $0.session == session && $0.name.utf8.elementsEqual(name.utf8) }?.port
        }
    }

    private func openOrigin(_ name: String, of session: String?) throws(SystemError) -> UInt16 {
        if let port = port(ofOrigin: name, of: session) { return port }
        let (tag, port) = try openListener { listeners, tag in
            listeners.origins[tag] = OriginListener(name: name, session: session, port: 0)
        }
        listeners.withLock { $0.origins[tag]?.port = port }
        return port
    }
}

extension StubHandler {
    /// Checks the files, and reloads those that have changed and are stable since the last check.
    func lookAtFiles() {
        guard watch.withLock({ $0.look() }) else { return }
        // Elsewhere, because a contract takes its time to read; where a test moves the time, it waits for the loop alone.
        if time.passesByItself {
            reader.take { [weak self] in self?.reload() }
        } else {
            reload()
        }
    }

    /// Watches the files of a scenario that some session now plays, too.
    func follow(_ loaded: LoadedScenario) {
        guard configuration.watchesFiles else { return }
        watch.withLock { $0.add(loaded.watched) }
    }

    /// Loads what each session plays again; a version that cannot be played changes nothing.
    private func reload() {
        var versions: [Edition: ScenarioPreparation.Prepared?] = [:]
        var contracts: [String: any ServedContract] = [:]
        var watched: [String] = []
        // The default session comes first and the others are listed after it, because new ones begin as it is: one
        // that is created at the same time is either listed or starts with the new version.
        reload(sessions.main, &versions, &contracts, &watched)
        for session in sessions.all where session !== sessions.main { reload(session, &versions, &contracts, &watched) }
        watch.withLock { $0.follow(watched) }
    }

    private func reload(
        _ session: LiveSession,
        _ versions: inout [Edition: ScenarioPreparation.Prepared?],
        _ contracts: inout [String: any ServedContract],
        _ watched: inout [String]
    ) {
        let loaded = session.setup.loaded
        let edition = Edition(path: loaded.path, variant: loaded.variant)
        let version: ScenarioPreparation.Prepared? = versions[edition] ?? load(loaded, &contracts, &watched)
        versions[edition] = .some(version)
        guard let prepared = version else { return }
        do throws(SystemError) {
            let urls = try openOrigins(of: session.name, playing: prepared.played)
            let hold = configuration.refusalHold(in: prepared.played.scenario)
            session.reload(prepared, originURLs: urls, refusalHold: hold, at: now)
        } catch {
            log.keptLastVersion([.noListener(error)])
        }
        // The session may play something else by now, so what it plays is asked for again.
        closeOrigins(of: session.name, missingIn: session.played)
    }

    /// The part of a file that a session plays.
    private struct Edition: Hashable {
        var path: String
        var variant: String?
    }

    /// Loads a scenario again; `nil` where it cannot be played.
    private func load(
        _ old: LoadedScenario,
        _ contracts: inout [String: any ServedContract],
        _ watched: inout [String]
    ) -> ScenarioPreparation.Prepared? {
        do throws(ScenarioError) {
            let prepared = try preparation.prepare(
                library.load(path: old.path, variant: old.variant),
                contracts: &contracts
            )
            watched += prepared.loaded.watched
            log.reloaded(prepared.loaded, after: old)
            return prepared
        } catch {
            watched += old.watched + error.watched
            log.keptLastVersion(error.findings)
            return nil
        }
    }
}

extension StubHandler {
    /// Plays the tokens and routes of an upstream in addition to the scenario of a session, whose own have precedence.
    func learn(_ learned: JSONObject, in session: LiveSession, saying lines: [String]) {
        let setup = session.setup
        let loaded = setup.loaded
        guard loaded.scenario.story == nil, var merged = setup.prepared.root.object else { return }
        var routes = merged["routes"]?.object ?? JSONObject()
        guard merged["tokens"] == nil else { return }
        merged["tokens"] = learned["tokens"]
        for member in learned["routes"]?.object?.members ?? [] where routes[member.name] == nil {
            routes[member.name] = member.value
        }
        merged["routes"] = .object(routes)
        do throws(ScenarioError) {
            var next = try library.load(.object(merged), nextTo: loaded.path)
            (next.path, next.variant, next.watched) = (loaded.path, loaded.variant, loaded.watched)
            var contracts = setup.contract.map { [$0.source.path: $0.source] } ?? [:]
            let prepared = try preparation.prepare(next, learnedOver: setup.prepared.root, contracts: &contracts)
            // The default session is the first, because new ones begin as it is.
            for session in [sessions.main] + sessions.all.filter({ $0 !== sessions.main }) {
                guard session.setup.prepared === setup.prepared else { continue }
                session.reload(
                    prepared,
                    originURLs: session.copy(at: now).session.originURLs,
                    refusalHold: configuration.refusalHold(in: prepared.played.scenario),
                    at: now
                )
            }
            for line in lines { log.say(line) }
        } catch {
            // What was learned cannot be played; requests are sent on as before.
            log.keptLastVersion(error.findings)
        }
    }
}

extension Finding {
    /// An origin of a new version that cannot be listened at.
    fileprivate static func noListener(_ error: SystemError) -> Finding {
        Finding(.error, id: "serve/no-listener", "the system does not allow a listener for an origin (\(error))")
    }
}

/// Renders slow responses one after the other, on a separate thread while there are any.
///
/// A whole journal as JSON takes the time of thousands of exchanges, and an event loop has other clients. A class,
/// because the event loops share it.
final class BackgroundWorkQueue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isBusy = false
    }

    private let state = Lock(State())

    /// Does a job soon; at once where the system gives no thread.
    func take(_ job: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            defer { state.isBusy = true }
            state.jobs.append(job)
            return !state.isBusy
        }
        guard isIdle else { return }
        do {
            try LoopThread.start { [self] in work() }
        } catch {
            work()
        }
    }

    private func work() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                state.isBusy = !state.jobs.isEmpty
                return state.jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs { job() }
        }
    }
}
