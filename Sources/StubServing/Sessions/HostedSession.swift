package import Basics
package import EventLoops
package import HTTPServing
package import JSON
package import Rules
package import ScenarioFormat
package import Simulation

/// A session of a server that code in this process owns, with its own listeners.
///
/// A class, because the code that makes it ends it, and because what waits for the session's clock means the same one.
package final class HostedSession: Sendable {
    /// The default time for which refusals are held.
    package static let usualRefusalHold = StubServer.Configuration.judgingRefusalHold

    private let handler: StubHandler
    private let session: LiveSession
    /// The base URL of its own listener; `nil` if it has none.
    package let url: String?

    init(_ handler: StubHandler, _ session: LiveSession, url: String?) {
        self.handler = handler
        self.session = session
        self.url = url
    }

    package var name: String { session.name }

    // MARK: Listeners

    /// The base URLs of the story's other servers, by name.
    package var originURLs: [String: String] { copy.session.backend.originURLs }

    /// Brings requests on a network's listener to this session.
    ///
    /// - Parameters:
    ///   - origin: the other server of the story that they are for; `nil` for the backend itself.
    ///   - port: the listener's port on that network.
    /// - Returns: what the listener's connections carry in ``Peer/listener``.
    package func addListener(origin: String?, port: UInt16) -> Int {
        handler.listeners.withLock { listeners in
            let tag = listeners.nextTag()
            if let origin {
                listeners.origins[tag] = OriginListener(name: origin, session: name, port: port)
            } else {
                listeners.sessions[tag] = name
            }
            return tag
        }
    }

    /// Says where the story's other servers are reached.
    package func set(originURLs: [String: String]) { session.set(originURLs: originURLs) }

    // MARK: What happened

    private var copy: (session: Session, loaded: LoadedScenario, now: MonotonicTime) { session.copy(at: handler.now) }

    /// The recording so far, with its verdict.
    ///
    /// - Parameter isProvisional: whether the client may be in the middle of something.
    package func recording(isProvisional: Bool = false) -> Recording {
        let (session, loaded, now) = copy
        return Recording(session, file: loaded.path, in: loaded.sources, isProvisional: isProvisional, at: now)
    }

    /// The number of the newest exchange, also where the journal does not have it any more; 0 for none.
    package var lastExchange: UInt64 { copy.session.lastExchange }

    /// The exchanges that the journal has, in their order.
    ///
    /// Those with an upstream have stand-ins for its tokens.
    package var exchanges: [Exchange] {
        let session = copy.session
        return session.upstreamURL == nil
            ? Array(session.journal.exchanges) : session.journal.exchanges.map { session.shown($0) }
    }

    /// The devices of the session with their tokens, and the moment on the session's clock.
    package var ledger: (ledger: TokenLedger, now: VirtualTime) {
        let (session, _, now) = copy
        return (session.ledger, session.time(at: now))
    }

    /// The same as the document that a client's environment is made from.
    package var tokens: JSONValue {
        let (session, _, now) = copy
        return session.tokensJSON(at: now)
    }

    /// The present moment on the session's clock.
    package var moment: VirtualTime {
        let (session, _, now) = copy
        return session.time(at: now)
    }

    /// - Throws: ``ScenarioError`` when the story has no such route, with the one that was meant.
    package func check(route: String) throws(ScenarioError) {
        try copy.loaded.check(route: route)
    }

    // MARK: What is to happen

    func access<Result: Sendable>(
        _ body: (inout Session, MonotonicTime) throws(AdminError) -> Result
    ) throws(AdminError) -> Result {
        try session.access(at: handler.now, body)
    }

    /// Lets time pass, with everything that is due on the way.
    package func advance(by duration: Duration) {
        try? access { session, now in session.advance(by: duration, at: now) }
    }

    /// Lets an event of the format happen.
    ///
    /// - Throws: ``ScenarioError`` with everything that is wrong with it.
    package func enact(_ tree: JSONValue) throws(ScenarioError) {
        let event = try copy.loaded.event(from: tree)
        try? access { session, now in session.enact(event, at: now) }
    }

    /// Arms a fault for the next requests of a route, as `POST /__backlot/faults` does.
    ///
    /// - Throws: ``ScenarioError`` with everything that is wrong with it.
    package func arm(_ tree: JSONValue) throws(ScenarioError) {
        guard try session.arm(tree, at: handler.now) else {
            let message = "\(Session.mostFaults) faults are armed, and a session allows no more"
            throw ScenarioError([Finding(.error, id: "scenario/too-many-faults", message, advice: "clear the faults")])
        }
    }

    /// The state of the session as it is now.
    package func checkpoint() -> HostedCheckpoint { session.checkpoint(at: handler.now) }

    /// Goes back to a checkpoint; open streams end, and waiting responses are sent.
    ///
    /// - Returns: the numbers of the exchanges whose streams or responses these were; `nil` if the checkpoint belongs to
    ///   another story, so that nothing was restored.
    package func restore(_ checkpoint: HostedCheckpoint) -> [UInt64]? {
        session.restore(checkpoint, at: handler.now)?.closed
    }

    /// The changes since a checkpoint, as a document.
    package func changes(since checkpoint: HostedCheckpoint) -> JSONValue {
        let (session, _, now) = copy
        return checkpoint.state.changes(to: session, at: now)
    }

    /// Clears all armed faults.
    package func clearFaults() {
        _ = try? access { session, _ in session.clearFaults() }
    }

    /// Takes in what a client tells about itself, as `POST /__backlot/client` does.
    ///
    /// - Parameter process: the process that tells it, where several share the session.
    /// - Returns: why it cannot be taken in, as a sentence; `nil` when it was.
    package func report(_ facts: JSONObject, by process: String? = nil) -> String? {
        do throws(AdminError) {
            let report = try ClientReport(.object(facts))
            try access { session, now in session.note(clientFacts: report.facts, by: process, at: now) }
            return nil
        } catch {
            return error.detail
        }
    }

    // MARK: Time

    /// Calls back once the session's clock has come to a moment, or the session has ended.
    ///
    /// - Parameter movesClock: whether an automatic clock jumps to the moment when nothing else is under way.
    /// - Returns: what ``cancelWait(_:)`` takes.
    package func wait(
        until moment: VirtualTime,
        movesClock: Bool,
        _ wake: @escaping @Sendable () -> Void
    ) -> UInt64 {
        session.wait(until: moment, movesClock: movesClock, at: handler.now, wake)
    }

    /// Calls back once the exchange of a number or a later one is decided, or the session has ended.
    ///
    /// - Returns: what ``cancelWait(_:)`` takes.
    package func wait(untilDecided exchange: UInt64, _ wake: @escaping @Sendable () -> Void) -> UInt64 {
        session.wait(untilDecided: exchange, wake)
    }

    /// Calls back at once where the wait was not over.
    package func cancelWait(_ number: UInt64) { session.cancelWait(number) }

    // MARK: End

    /// Lets go of all responses, closes the listeners and forgets the session; called again, it does nothing.
    package func end() {
        handler.closeListeners(of: name)
        guard handler.sessions.session(named: name) === session, let ended = handler.sessions.remove(name) else {
            return
        }
        ended.endLife()
    }
}

extension StubServer {
    /// Creates a session that plays its own scenario.
    ///
    /// - Parameters:
    ///   - name: unlike that of every other session.
    ///   - port: where it listens, 0 for any free port; `nil` for a session without a socket.
    ///   - refusalHold: how long refusals of tokens are held, in real time; as the scenario says when `nil`.
    /// - Throws: ``ListeningProblem`` when it cannot listen there, or there are too many sessions.
    package func addSession(
        named name: String,
        playing scenario: PreparedScenario,
        seed: UInt64?,
        port: UInt16?,
        refusalHold: Duration?
    ) throws(ListeningProblem) -> HostedSession {
        let setup = LiveSession.Setup(prepared: scenario.prepared, story: handler.configuration.story, seed: seed)
        let host = handler.configuration.host
        let claim = handler.sessions.claim(name) {
            var session = setup.begin(name, handler.configuration)
            if let refusalHold { session.refusalHold = refusalHold }
            return (session, setup)
        }
        guard case .made(let made) = claim else {
            throw ListeningProblem(SystemError("session", .invalidArgument), host: host, port: port ?? 0)
        }
        do throws(SystemError) {
            let own = if let port { try handler.listen(for: name, port: port) } else { UInt16?.none }
            let session = HostedSession(handler, made, url: own.map { handler.baseURL(port: $0) })
            if own != nil { made.set(originURLs: try handler.openOrigins(of: name, playing: made.played)) }
            return session
        } catch {
            handler.closeListeners(of: name)
            handler.sessions.remove(name)?.endLife()
            throw ListeningProblem(error, host: host, port: port ?? 0)
        }
    }

    /// Returns whether there is a session of this name.
    package func hasSession(named name: String) -> Bool { handler.sessions.session(named: name) != nil }

    /// Has requests on a network answered by this server's sessions, too.
    package func serve(_ network: SimulatedNetwork) { network.serve(handler) }

    /// Runs the work when the moment has come; false when the server does not run.
    package func schedule(at moment: MonotonicTime, _ work: @escaping @Sendable () -> Void) -> Bool {
        handler.server?.schedule(at: moment, work) ?? false
    }

    /// Returns when everything that was under way has been noted; a verdict counts an open exchange as one whose response
    /// the client has not received.
    package func settle() async { await server?.settle() }
}

extension StubServer {
    /// Starts the loop without a listener; sessions bring their own.
    package func startWithoutListening() throws(SystemError) { try server?.start() }

    /// The purpose for which scenarios of this server's sessions are read.
    package var sessionConfiguration: Configuration { handler.configuration }
}

extension ListeningProblem {
    /// A Boolean value that indicates whether another process or listener has the port.
    package var isPortInUse: Bool { reason.number == .addressInUse }
}
