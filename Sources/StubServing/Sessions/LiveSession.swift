import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import Rules
import ScenarioFormat
import Simulation
import TLS

/// A session that clients talk to at this moment, with the responses that wait in it.
///
/// A class, because it is one thing that event loops, timers and the admin API share. Everything that can change is
/// behind one lock, and every decision is one critical section; sessions never wait for each other. Responses are let go
/// after the lock, because a server that is stopping answers a promise by calling back into the session.
final class LiveSession: Sendable {
    /// The session's play and its start, so that it can be reset.
    struct Setup: Sendable {
        var prepared: ScenarioPreparation.Prepared
        /// The story's id when it was chosen by one.
        var story: String?
        var seed: UInt64?
        var start: VirtualTime?

        var loaded: LoadedScenario { prepared.loaded }
        var played: CompiledScenario { prepared.played }
        var contract: (any ContractEnforcer)? { prepared.contract }
    }

    let name: String
    /// Distinguishes the session in exchange handles; never used again for another one.
    let ordinal: UInt64
    private let runtime: SessionRuntime
    private let contents: Lock<Contents>
    /// A copy of ``Contents/play``, to prepare a request without blocking others.
    private let published: Lock<Play>
    /// The certificate that clients got last, if the scenario defines TLS.
    private let certificate = Lock<PlayedCertificate?>(nil)

    init(_ session: Session, setup: Setup, ordinal: UInt64, runtime: SessionRuntime) {
        name = session.name
        self.ordinal = ordinal
        self.runtime = runtime
        let play = Play(setup)
        published = Lock(play)
        let limited = runtime.limited(session)
        contents = Lock(Contents(session: limited, setup: setup, play: play, ordinal: ordinal, runtime: runtime))
    }

    deinit {
        contents.withLock { $0.returnBudget() }
    }

    /// Changes the session in one critical section, then performs the effects and sets the alarm for the next one.
    @discardableResult
    func change<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
        let (result, output, alarm) = contents.withLock { contents in
            let result = body(&contents)
            contents.perform(contents.session.takeEffects())
            contents.countMemory()
            return (result, contents.takeOutput(), contents.takeAlarm())
        }
        if let output {
            if let enact = output.enact { for action in output.processActions { enact(action) } }
            for opening in output.openings { runtime.log(opening, of: name) }
            for waiting in output.responses {
                if waiting.isAtGate { runtime.removeHeld(waiting.promise) }
                waiting.promise.fulfil(waiting.response)
            }
            for wake in output.wakes { wake() }
        }
        if let alarm { runtime.set(alarm, for: self) }
        return result
    }

    // MARK: State

    /// The time without a request, or since the session's creation; `nil` while something waits in it.
    func idleTime(at now: MonotonicTime) -> Duration? {
        contents.withLock { contents in
            guard contents.isUndisturbed else { return nil }
            return now.since(contents.session.hasTraffic ? contents.quietTime.lastTraffic : contents.session.latest)
        }
    }

    /// The time at which the last request arrived or the last exchange ended.
    var lastTraffic: MonotonicTime { contents.withLock { $0.quietTime.lastTraffic } }

    /// Forgets the exchanges, which are then missing in a verdict.
    func emptyJournal() {
        contents.withLock { $0.dropJournal() }
    }

    var setup: Setup { contents.withLock { $0.setup } }

    /// The current play, which may have been replaced when a request is decided.
    var play: Play { published.withLock { $0 } }

    var played: CompiledScenario { play.played }

    /// A Boolean value that indicates whether a request has come.
    var hasTraffic: Bool { contents.withLock { $0.session.hasTraffic } }

    /// A Boolean value that indicates whether requests wait at a gate.
    var isHolding: Bool { contents.withLock { $0.session.isHolding } }

    /// A copy of the session as it is now.
    func copy(at now: MonotonicTime) -> (session: Session, loaded: LoadedScenario, now: MonotonicTime) {
        contents.withLock { contents in
            let now = contents.later(of: now)
            var session = contents.session
            session.catchUp(at: now)
            return (session, contents.setup.loaded, now)
        }
    }

    /// Tells the session where its story's other servers are reached.
    func set(originURLs: [String: String]) {
        contents.withLock { $0.session.backend.originURLs = originURLs }
    }

    /// Lets requests of a listener be those of a process.
    func note(process name: String, ofListener tag: Int) {
        contents.withLock { $0.processes[tag] = name }
    }

    /// Calls a function for what the story does to processes.
    func enactProcesses(by body: (@Sendable (ProcessAction) -> Void)?) {
        contents.withLock { $0.enactProcess = body }
    }

    // MARK: TLS

    /// Responds to a client that begins a handshake.
    func answerToHandshake(by certificates: ServerCertificates, at now: MonotonicTime) throws(TLSProblem) -> TLSAnswer {
        guard let (tls, time) = change({ $0.session.beginHandshake(at: $0.later(of: now)) }) else {
            return .handshake(certificates.context)
        }
        return try certificate.withLock { (last) throws(TLSProblem) in
            try certificates.answer(for: tls, at: time, last: &last)
        }
    }

    /// Records a failed handshake.
    func note(_ failure: TLSFailure, on listener: Int, at now: MonotonicTime) {
        change { contents in
            let process = contents.processes[listener]
            let failed = FailedHandshake(failure.reason, isRejection: failure.isOfCertificate, process: process)
            contents.session.note(failed, at: contents.later(of: now))
        }
    }

    // MARK: Exchanges

    /// Decides a request, has the response judged and writes the exchange down, all in one critical section.
    ///
    /// - Parameters:
    ///   - isKnown: whether the request is in memory anyway.
    ///   - bodyLimit: the most bytes of the decoded body.
    ///   - sent: what the time is when the response leaves, for a server that hears of it only where a response does
    ///     not leave at once; `nil` for one that always hears.
    ///   - forwarder: looks at the tokens of a request that may be sent on.
    ///   - ended: gets the exchange if it has ended and is logged. Not a part of the result, which passes through several
    ///     closures.
    func answer(
        _ request: HTTPRequest,
        isKnown: Bool,
        _ routed: RoutedRequest,
        from peer: Peer,
        with promise: ResponsePromise,
        bodyLimit: Int,
        sent: (any TimeSource)?,
        isLogged: Bool,
        forwarder: (any RequestForwarder)? = nil,
        ended: inout Exchange?
    ) -> Served {
        let origin = routed.origin
        let mayBeNoted = sent != nil && !request.isBodyPending
        let whole = request
        // Before the section, because a body may take its time.
        let (request, codingError) = Self.decoded(request, limit: bodyLimit)
        let remarks = forwarder?.remarks(on: request)
        let isConsulted = origin == nil && codingError == nil && !request.isBodyPending
        var consultation =
            (request.isBodyPending ? nil : routed.consultation)
            ?? (isConsulted ? routed.play.contract?.consult(request) : nil)
        var served = Served.later
        change { contents in
            let now = contents.noteTraffic(at: peer.arrival)
            var route = routed.route
            if contents.play !== routed.play {
                // A reload came in between.
                route = contents.play.played.route(request, at: origin)
                consultation = isConsulted ? contents.play.contract?.consult(request) : nil
            }
            if !contents.processes.isEmpty, let process = contents.processes[peer.listener] {
                contents.session.note(process: process, on: peer.connection)
            }
            let incoming = IncomingRequest(
                request,
                isKnown: isKnown,
                lag: peer.lag,
                connection: peer.connection,
                consultation: consultation,
                codingError: codingError,
                origin: origin,
                route: route,
                remarks: remarks
            )
            let client = WaitingClient(promise: promise, consultation: consultation, request: whole)
            let decision = contents.perform(contents.session.step(.request(incoming), at: now), for: client)
            guard let decision else { return }
            var response = contents.response(for: decision, to: client)
            if mayBeNoted, contents.leavesAtOnce(decision) {
                contents.session.noteSent(decision.exchange, at: sent?.now() ?? now)
                response.isNotedAsSent = true
                if isLogged { ended = contents.shown(decision.exchange) }
            }
            served = .now(response)
        }
        return served
    }

    /// The maximum number of values in a JSON body: about 70 MB of memory while the request is answered.
    private static let mostValues = 1_000_000

    /// The request with its decoded body, or as it was sent where its body cannot be decoded.
    private static func decoded(_ request: HTTPRequest, limit: Int) -> (HTTPRequest, ContentCodingError?) {
        do throws(ContentCodingError) {
            let decoded = try request.decoded(limit: limit)
            guard !JSONParser.exceeds(mostValues, in: decoded.body) else { throw .tooManyValues(limit: mostValues) }
            return (decoded, nil)
        } catch {
            return (request, error)
        }
    }

    /// Notes the end of an exchange, and returns it where it is logged.
    ///
    /// An exchange of an earlier life of the session, before it began again, is not the session's any more.
    func end(_ number: UInt64, _ outcome: ExchangeOutcome, at now: MonotonicTime, isLogged: Bool) -> Exchange? {
        change { contents in
            guard number > contents.pastNumbers else { return nil }
            let exchange = number - contents.pastNumbers
            // What was noted as sent, and was, has been logged.
            let isNews = outcome != .sent || contents.session.journal.exchange(exchange)?.outcome != .sent
            contents.end(exchange, outcome, at: contents.noteTraffic(at: now))
            return isLogged && isNews ? contents.shown(exchange) : nil
        }
    }

    /// Takes in the message of an upstream, and returns what the contract puts in its place.
    func note(_ answer: UpstreamAnswer, of number: UInt64, at now: MonotonicTime) -> HTTPResponse? {
        change { contents in
            guard number > contents.pastNumbers else { return nil }
            let exchange = number - contents.pastNumbers
            contents.session.note(answer, of: exchange, at: contents.later(of: now))
            guard let review = contents.reviews.removeValue(forKey: exchange)?.review(answer) else { return nil }
            contents.session.note(review.violations, of: exchange, replacement: review.replacement)
            return review.replacement
        }
    }

    /// Takes what the client of a WebSocket has sent, and answers it.
    func receive(_ bytes: [UInt8], of number: UInt64, at now: MonotonicTime) {
        change { contents in
            guard number > contents.pastNumbers else { return }
            contents.receive(bytes, of: number - contents.pastNumbers, at: contents.later(of: now))
        }
    }

    /// Forgets a client that has left a gate, and returns its exchange where it was decided and is logged.
    func leave(
        _ holder: SessionRuntime.HeldClient.Holder,
        _ promise: ResponsePromise,
        at now: MonotonicTime,
        isLogged: Bool
    ) -> Exchange? {
        change { contents in
            let now = contents.noteTraffic(at: now)
            switch holder {
            // Numbers begin again with each life of the session, so the promise tells whether it is the same client.
            case .ticket(let ticket) where contents.held[ticket]?.promise == promise:
                contents.held[ticket] = nil
                contents.perform(contents.session.step(.left(ticket: ticket), at: now))
            case .exchange(let exchange) where contents.parked[exchange]?.promise == promise:
                contents.end(exchange, .clientGone, at: now)
                return isLogged ? contents.shown(exchange) : nil
            default: break
            }
            return nil
        }
    }

    /// Looks at the session or changes it, as the admin API does, and lets out what that released.
    func access<Result: Sendable>(
        at now: MonotonicTime,
        _ body: (inout Session, MonotonicTime) throws(AdminError) -> Result
    ) throws(AdminError) -> Result {
        try change { contents -> Swift.Result<Result, AdminError> in
            let now = contents.catchUp(at: now)
            do throws(AdminError) {
                return .success(try body(&contents.session, now))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Arms a fault for the next requests of a route: a response, a latency or a broken connection.
    ///
    /// A fault that the format has as an event is one, so that a recorded story repeats it.
    ///
    /// - Returns: whether the session allows another fault.
    /// - Throws: ``ScenarioError`` with everything that is wrong with it.
    func arm(_ tree: JSONValue, at now: MonotonicTime) throws(ScenarioError) -> Bool {
        let setup = setup
        let fault = try setup.loaded.fault(from: tree, operations: setup.contract?.filledOperations ?? [])
        let names = tree.object?.names ?? []
        let isEvent =
            names.contains("fault") && names.allSatisfy(["fault", "route", "times"].contains)
            && setup.loaded.scenario.routes.contains { $0.key.text.exact == fault.route.exact }
        let command = isEvent ? AdminCommand(try setup.loaded.event(from: tree), tree: tree) : nil
        return change { contents in
            let now = contents.catchUp(at: now)
            guard let command else { return contents.session.arm(fault, at: now) }
            guard contents.session.allowsFaults(1) else { return false }
            contents.session.enact(command, at: now)
            return true
        }
    }

    // MARK: Time

    /// A Boolean value that indicates whether quiet would let something happen.
    var waitsForQuiet: Bool { contents.withLock { $0.session.isHolding || $0.session.isWaitingForTime } }

    /// Does what an alarm was set for.
    ///
    /// - Parameter isClientAtWork: whether the client's process has something to do at this moment, so that quiet does
    ///   not mean that nothing comes.
    func wake(by alarm: MonotonicTime, at now: MonotonicTime, isClientAtWork: Bool = false) {
        change { contents in
            if contents.armed == alarm { contents.armed = nil }
            contents.quietTime.noteAlarm(due: alarm, at: now)
            if isClientAtWork { contents.quietTime.noteWork(at: contents.later(of: now)) }
            let now = contents.catchUp(at: now)
            if contents.isQuiet(at: now) { contents.jump(at: now) }
        }
    }

    /// Calls back once the clock has come to a moment or the session has ended.
    ///
    /// - Returns: what ``cancelWait(_:)`` takes.
    func wait(
        until moment: VirtualTime,
        movesClock: Bool,
        at now: MonotonicTime,
        _ wake: @escaping @Sendable () -> Void
    ) -> UInt64 {
        change { contents in
            _ = contents.catchUp(at: now)
            return contents.waits.add(until: moment, movesClock: movesClock, wake)
        }
    }

    /// Calls back once the exchange of a number or a later one is decided, or the session has ended.
    ///
    /// - Returns: what ``cancelWait(_:)`` takes.
    func wait(untilDecided exchange: UInt64, _ wake: @escaping @Sendable () -> Void) -> UInt64 {
        change { $0.waits.add(untilDecided: $0.pastNumbers + exchange, wake) }
    }

    /// Ends a wait early, where it is not over yet.
    func cancelWait(_ number: UInt64) {
        contents.withLock { $0.waits.remove(number) }?()
    }

    // MARK: Lives

    /// Begins again, with the same story or another one; waiting requests are let go at once.
    func restart(_ session: Session, setup: Setup) {
        change { contents in
            // Requests that gates hold are decided by the life that they came in.
            contents.releaseAll()
            contents.session = runtime.limited(session)
            play(setup, &contents)
            contents.pastNumbers = contents.lastNumber
        }
        certificate.withLock { $0 = nil }
    }

    private func play(_ setup: Setup, _ contents: inout Contents) {
        let play = Play(setup)
        contents.setup = setup
        contents.play = play
        published.withLock { $0 = play }
    }

    /// Lets go of all responses, now and from now on: this session's clock will not be moved any more.
    func endLife() {
        change { contents in
            contents.isOver = true
            contents.releaseAll()
        }
    }

    /// Continues with another version of its scenario, unless it plays another one by now.
    ///
    /// - Parameter originURLs: where the other servers of the new version are reached.
    func reload(
        _ prepared: ScenarioPreparation.Prepared,
        originURLs: [String: String],
        refusalHold: Duration,
        at now: MonotonicTime
    ) {
        change { contents in
            let played = contents.setup.loaded
            guard played.path == prepared.loaded.path, played.variant == prepared.loaded.variant else { return }
            var setup = contents.setup
            setup.prepared = prepared
            play(setup, &contents)
            contents.session.backend.originURLs = originURLs
            contents.session.refusalHold = refusalHold
            contents.session.replace(prepared.played, at: contents.later(of: now))
        }
    }
}
