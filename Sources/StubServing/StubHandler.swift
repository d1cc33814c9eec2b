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
    let reader = BackgroundWorkQueue()
    /// Orders the changes of what sessions play by lessons about an upstream and by reloads.
    let learning = Lock(())
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
                storedBytes: configuration.storedBytes,
                unfinishedMessages: configuration.unfinishedMessages,
                measuresLag: configuration.time.passesByItself,
                log: configuration.logsExchanges ? log : nil,
                upstreamHost: host
            )
        )
        let reference = ForwardingSessions.Reference(handler: self)
        host.reference.withLock { $0 = reference }
        sessions.runtime.shrinkJournals { [weak self] ordinal in
            guard let self else { return }
            background.take { [weak self] in self?.sessions.shrinkJournals(for: ordinal) }
        }
        sessions.runtime.wakeSessions { [weak self] in self?.wake($1, at: $0) }
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

    func respond(
        to request: HTTPRequest,
        isKnown: Bool,
        routed: (any RoutedHead)?,
        from peer: Peer,
        with promise: ResponsePromise
    ) -> Served {
        guard let routed = routed as? RoutedRequest, let session = sessions.session(ordinal: routed.ordinal) else {
            return respond(to: request, from: peer, with: promise)
        }
        return respond(to: routed.request(request), isKnown: isKnown, routed, in: session, from: peer, with: promise)
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
        return respond(to: address.request, isKnown: false, routed, in: session, from: peer, with: promise)
    }

    private func respond(
        to request: HTTPRequest,
        isKnown: Bool,
        _ routed: RoutedRequest,
        in session: LiveSession,
        from peer: Peer,
        with promise: ResponsePromise
    ) -> Served {
        var ended: Exchange?
        let served = session.answer(
            request,
            isKnown: isKnown,
            routed,
            from: peer,
            with: promise,
            bodyLimit: configuration.limits.body,
            sent: sendingTime,
            isLogged: logsExchanges,
            forwarder: routed.mayBeForwarded ? routed.play.forwarder : nil,
            ended: &ended
        )
        write(ended, of: session)
        return served
    }

    /// Lets the admin API answer, here or elsewhere.
    private func answer(_ address: SessionAddress, with promise: ResponsePromise) -> Served {
        guard AdminAPI.isLengthy(address.request) else {
            return .now(AdminAPI(self).response(to: address.request, session: address.name, with: promise))
        }
        let answer: @Sendable () -> Void = { [self] in
            background.take { [self] in
                promise.fulfil(AdminAPI(self).response(to: address.request, session: address.name, with: promise))
            }
        }
        // A verdict counts the responses that the client has.
        if let server { server.whenSettled(answer) } else { answer() }
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
