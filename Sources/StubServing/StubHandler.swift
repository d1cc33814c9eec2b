import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import ScenarioFormat
import Simulation

/// Brings each request to its session or to the admin API.
///
/// A class, because the server's event loops share it and the server is attached to it after it was made. Listeners
/// are in `StubHandler+Listeners.swift`, timers and files in `StubHandler+Timers.swift` and `+Reloading.swift`.
final class StubHandler: HTTPHandler {
    let staging: ScenarioPreparation
    let sessions: SessionDirectory
    let log: ServerLog
    let shutdownRequest = Lock<(@Sendable () -> Void)?>(nil)
    let listeners = Lock(ListenerTable())
    let watch: Lock<FileWatch>
    let isFlushing = Lock(false)
    let refusals = Lock(Refusals())
    private let clerk = BackgroundWorkQueue()
    private let attached = Lock<(any HTTPHost)?>(nil)

    init(_ staging: ScenarioPreparation, _ staged: ScenarioPreparation.Prepared, log: ServerLog) {
        self.staging = staging
        self.log = log
        let configuration = staging.configuration
        watch = Lock(FileWatch(staged.loaded.watched))
        let origin = LiveSession.Origin(
            loaded: staged.loaded,
            stage: staged.stage,
            contract: staged.contract,
            story: configuration.story,
            seed: configuration.seed
        )
        sessions = SessionDirectory(
            main: origin.begin(Session.defaultName, configuration),
            origin: origin,
            capacity: configuration.maximumSessions,
            register: GateRegister(log: configuration.logsExchanges ? log : nil),
            measuresLag: configuration.time.passesByItself
        )
    }

    var library: ScenarioLibrary { staging.library }

    var configuration: StubServer.Configuration { staging.configuration }

    /// Takes the server that serves this handler, for its timers and listeners; `nil` lets go of it.
    func attach(_ server: (any HTTPHost)?) {
        attached.withLock { $0 = server }
    }

    var server: (any HTTPHost)? { attached.withLock { $0 } }

    var now: RealTime { RealTime(configuration.time.now()) }

    /// What a session plays that nobody told otherwise.
    var defaultOrigin: LiveSession.Origin { sessions.main.origin }

    // MARK: Requests

    func willReadBody(of head: HTTPRequest, from peer: Peer) -> BodyIntake {
        let (owner, origin) = owner(ofListener: peer.listener)
        guard
            case .name(let listener) = owner,
            let address = SessionAddress(head, listener: listener), !AdminAPI.takes(address.request.path)
        else { return BodyIntake() }
        // A session that does not exist yet will be made when the request is complete, with this origin.
        let session = address.name.flatMap(sessions.session(named:)) ?? sessions.main
        return BodyIntake(bytesPerSecond: session.stage.uploadRate(for: address.request, origin: origin))
    }

    func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
        let (owner, origin) = owner(ofListener: peer.listener)
        guard case .name(let listener) = owner else {
            return .now(OutgoingResponse(problem: .goneSession))
        }
        guard let address = SessionAddress(request, listener: listener) else {
            return .now(OutgoingResponse(problem: .badSessionName))
        }
        if AdminAPI.takes(address.request.path) {
            return answer(address, with: promise)
        }
        guard let session = session(named: address.name) else {
            return .now(OutgoingResponse(problem: .tooManySessions(sessions.capacity)))
        }
        let (served, alarm) = session.answer(address.request, at: origin, from: peer, with: promise)
        set(alarm, for: session)
        return served
    }

    /// Lets the admin API answer, here or elsewhere.
    private func answer(_ address: SessionAddress, with promise: ResponsePromise) -> Served {
        guard AdminAPI.isLengthy(address.request) else {
            return .now(AdminAPI(self).response(to: address.request, session: address.name))
        }
        clerk.take { [self] in
            promise.fulfil(AdminAPI(self).response(to: address.request, session: address.name))
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

    var isClientAtWork: Bool { configuration.isClientAtWork?() ?? false }

    func ended(exchange: UInt64, outcome: ExchangeOutcome) {
        guard exchange != 0 else { return }
        let handle = ExchangeHandle(rawValue: exchange)
        guard handle != .signOut else {
            shutdownRequest.withLock { $0 }?()
            return
        }
        guard let session = sessions.session(ordinal: handle.session) else { return }
        let isLogged = configuration.logsExchanges
        let (finished, alarm) = session.end(handle.exchange, outcome, at: now, isLogged: isLogged)
        set(alarm, for: session)
        write(finished, of: session)
    }

    func clientLeft(_ peer: Peer, before promise: ResponsePromise) {
        guard let spot = sessions.register.leave(promise), let session = sessions.session(ordinal: spot.session) else {
            return
        }
        let isLogged = configuration.logsExchanges
        let (finished, alarm) = session.leave(spot.holder, promise, at: now, isLogged: isLogged)
        set(alarm, for: session)
        write(finished, of: session)
    }

    private func write(_ finished: Exchange?, of session: LiveSession) {
        guard let finished else { return }
        log.exchange(finished, session: session.name)
        flushSoon()
    }

    /// The session that a client's request is for, made when it is the first to name it.
    private func session(named name: String?) -> LiveSession? {
        guard let name, name != Session.defaultName else { return sessions.main }
        return sessions.claim(name) {
            // Asked for inside, so that a reload either finds the new session or has changed the default one before.
            let origin = defaultOrigin
            // A session that shares its listeners opens none, so this cannot fail.
            return ((try? begin(origin, named: name)) ?? origin.begin(name, configuration), origin)
        }.session
    }
}

extension LiveSession.Origin {
    /// A session at its beginning.
    func begin(_ name: String, _ configuration: StubServer.Configuration) -> Session {
        var session = Session(
            stage,
            name: name,
            seed: seed,
            start: start ?? stage.scenario.clock.start ?? configuration.calendar(),
            at: RealTime(configuration.time.now()),
            journal: configuration.journal
        )
        session.refusalHold = configuration.refusalHold(in: stage.scenario)
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
    init(_ scenario: Scenario, clock: ClockOption) {
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
