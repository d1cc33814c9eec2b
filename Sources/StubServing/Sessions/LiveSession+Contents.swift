import Basics
import HTTPCodec
import HTTPServing
import ScenarioFormat
import Simulation

extension LiveSession {
    /// A response that waits on the virtual clock or at a gate.
    struct WaitingResponse: Sendable {
        var promise: ResponsePromise
        var response: OutgoingResponse
        /// The time for which it is held once it waits no longer.
        var hold = Duration.zero
        var isAtGate = false
    }

    /// A request that waits at a gate undecided.
    struct HeldRequest: Sendable {
        var promise: ResponsePromise
        var consultation: RequestConsultation?
    }

    /// The output of a session after its lock, with its log entries.
    struct Effects: Sendable {
        var responses: [WaitingResponse] = []
        var openings: [GateOpening] = []
        /// The events that waited for the session's clock.
        var wakes: [@Sendable () -> Void] = []
        /// The events for processes of the client, before any response is sent.
        var processActions: [ProcessAction] = []
        var enact: (@Sendable (ProcessAction) -> Void)?
    }

    /// The state that the lock guards.
    struct Contents: Sendable {
        var session: Session
        var origin: Origin
        /// The routing data of the origin, which identifies the origin that requests were routed by.
        var play: Play
        /// Distinguishes the session in exchange handles.
        let ordinal: UInt64
        let register: GateRegister
        let budget: JournalBudget
        /// The size of the journal that has been counted there, in bytes.
        var countedBytes = 0
        /// By the exchange's number in the session.
        var parked: [UInt64: WaitingResponse] = [:]
        /// Where the parts of open streams go, by the exchange's number in the session.
        var streams: [UInt64: ResponsePromise] = [:]
        /// The open WebSockets, by the exchange's number in the session.
        var sockets: [UInt64: OpenWebSocket] = [:]
        /// The processes of the client by listener.
        var processes: [Int: String] = [:]
        /// The closures that start, freeze and end them.
        var enactProcess: (@Sendable (ProcessAction) -> Void)?
        /// By ticket.
        var held: [UInt64: HeldRequest] = [:]
        /// The waits on the session's clock in addition to the responses.
        var waits = SessionWaits()
        /// The number of the newest exchange, counted through all lives of the session.
        var lastNumber: UInt64 = 0
        /// The number of exchanges of earlier lives.
        var pastNumbers: UInt64 = 0
        /// The latest moment that this session has seen.
        var latest = MonotonicTime(nanoseconds: 0)
        /// When a request came or an exchange ended last, and how long nothing has to come after that.
        var quietTime: QuietTime
        /// The earliest alarm that is set and has not gone off.
        var armed: MonotonicTime?
        var isOver = false
    }
}

extension LiveSession.Contents {
    /// Counts what the journal has grown by; where all journals together have grown too large, this one forgets its
    /// older half.
    mutating func countJournal() {
        let change = session.journal.bytes - countedBytes
        guard change.magnitude > JournalBudget.step else { return }
        countedBytes += change
        guard budget.count(change), session.journal.bytes > JournalBudget.step else { return }
        session.shrinkJournal(to: session.journal.bytes / 2)
        let freed = session.journal.bytes - countedBytes
        countedBytes += freed
        _ = budget.count(freed)
    }

    /// Gives back what was counted, when the session is gone.
    mutating func returnBudget() {
        _ = budget.count(-countedBytes)
        countedBytes = 0
    }

    /// Time never goes back in a session, although event loops take their time independently of each other.
    mutating func later(of now: MonotonicTime) -> MonotonicTime {
        latest = max(latest, now)
        return latest
    }

    mutating func noteTraffic(at now: MonotonicTime) -> MonotonicTime {
        let now = later(of: now)
        // An alarm that should have gone off by now is late, and so may be other requests.
        if let armed, armed < now { quietTime.noteAlarm(due: armed, at: now) }
        if session.waitsForEnds { session.gateSlack = quietTime.slack }
        quietTime.noteTraffic(at: now)
        return now
    }

    /// Lets everything happen that has become due by a moment.
    mutating func catchUp(at now: MonotonicTime) -> MonotonicTime {
        let now = later(of: now)
        session.gateSlack = quietTime.slack
        if session.isHolding { session.openQuietGates(at: now) }
        session.catchUp(at: now)
        return now
    }

    // MARK: Deciding

    /// Decides a request; `nil` when it or its response has to wait.
    mutating func decide(
        _ request: HTTPRequest,
        _ route: RequestRoute,
        of origin: String?,
        at now: MonotonicTime,
        _ peer: Peer,
        with promise: ResponsePromise,
        _ consultation: RequestConsultation?
    ) -> Decision? {
        let evaluation = consultation?.evaluation
        let decision: Decision
        if let process = processes[peer.listener] { session.note(process: process, on: peer.connection) }
        if origin == nil, session.hasClosedGates {
            switch session.arrive(request, at: now, lag: peer.lag, connection: peer.connection, evaluation: evaluation)
            {
            case .decided(let made): decision = made
            case .responseHeld(let held):
                park(held, with: promise, consultation, isAtGate: true)
                return nil
            case .requestHeld(let ticket):
                hold(ticket, with: promise, consultation)
                return nil
            }
        } else {
            decision = session.decide(
                request,
                at: now,
                lag: peer.lag,
                connection: peer.connection,
                evaluation: evaluation,
                origin: origin,
                route: route
            )
        }
        lastNumber = pastNumbers + decision.exchange
        if decision.isStream { streams[decision.exchange] = promise }
        if decision.isStream, let role = decision.webSocket {
            sockets[decision.exchange] = LiveSession.OpenWebSocket(echoes: role.echoes)
        }
        guard case .virtual = decision.wait, !isOver else { return decision }
        park(decision, with: promise, consultation, isAtGate: false)
        return nil
    }

    /// A Boolean value that indicates whether nothing waits, so that an exchange that changes nothing concerns no other
    /// one.
    var isUndisturbed: Bool {
        // Not by `&&`, whose operands would each copy the session in a debug build.
        guard !isOver, parked.isEmpty, held.isEmpty, waits.isEmpty, streams.isEmpty, processes.isEmpty else {
            return false
        }
        return true
    }

    /// Returns whether a response leaves at once and whole, and nothing waits for its end.
    func leavesAtOnce(_ decision: Decision) -> Bool {
        guard decision.wait == .none, decision.hold == .zero, decision.pacing == nil, decision.fault == nil,
            !decision.isStream, isUndisturbed, !session.waitsForEnds
        else { return false }
        return decision.response.body.count <= PreparedResponse.largestBody
    }

    // MARK: Waiting

    /// Keeps a response that has to wait; it is judged before, since it may leave as soon as it is kept.
    mutating func park(
        _ decision: Decision,
        with promise: ResponsePromise,
        _ consultation: RequestConsultation?,
        isAtGate: Bool
    ) {
        let response = response(for: decision, consultation)
        parked[decision.exchange] = LiveSession.WaitingResponse(
            promise: promise,
            response: response,
            hold: decision.hold,
            isAtGate: isAtGate
        )
        if isAtGate { register.enter(promise, at: .init(session: ordinal, holder: .exchange(decision.exchange))) }
    }

    /// Keeps a request that is decided later.
    mutating func hold(_ ticket: UInt64, with promise: ResponsePromise, _ consultation: RequestConsultation?) {
        held[ticket] = LiveSession.HeldRequest(promise: promise, consultation: consultation)
        register.enter(promise, at: .init(session: ordinal, holder: .ticket(ticket)))
    }

    private mutating func response(for decision: Decision, _ consultation: RequestConsultation?) -> OutgoingResponse {
        lastNumber = max(lastNumber, pastNumbers + decision.exchange)
        var decision = decision
        if let review = consultation?.review(decision) { take(review, for: &decision) }
        return OutgoingResponse(decision, exchange: ExchangeHandle(ordinal, pastNumbers + decision.exchange).rawValue)
    }

    /// Notes what was found in a response, and puts into its place what is sent instead.
    mutating func take(_ review: ResponseReview, for decision: inout Decision?) {
        guard var made = decision else { return }
        take(review, for: &made)
        decision = made
    }

    private mutating func take(_ review: ResponseReview, for decision: inout Decision) {
        session.note(review.violations, of: decision.exchange, replacement: review.replacement)
        guard let replacement = review.replacement else { return }
        decision.response = replacement
        if decision.isStream {
            session.dropStream(decision.exchange)
            streams[decision.exchange] = nil
            sockets[decision.exchange] = nil
        }
        decision.isStream = false
        decision.pacing = nil
    }

    // MARK: Going

    /// The responses that wait no longer.
    mutating func takeDue() -> LiveSession.Effects {
        var effects = LiveSession.Effects()
        for opening in session.takeOpenings() {
            for passage in opening.passages {
                if let response = take(passage) { effects.responses.append(response) }
            }
            effects.openings.append(opening)
        }
        // Sent here, under the lock, so that parts keep their order; nothing is called back.
        for output in session.takeStreamOutput() {
            streams[output.exchange]?.send(part: output.bytes, isLast: output.isLast)
            if output.isLast { streams[output.exchange] = nil }
        }
        for exchange in session.takeReleased() {
            if let response = parked.removeValue(forKey: exchange) { effects.responses.append(response) }
        }
        (effects.processActions, effects.enact) = (session.takeProcessActions(), enactProcess)
        if !waits.isEmpty { effects.wakes = waits.take(dueBy: session.time(at: latest), decided: lastNumber) }
        return effects
    }

    /// The response to a request that is released from a gate; `nil` if it still has to wait on the virtual clock.
    private mutating func take(_ passage: ReleasedRequest) -> LiveSession.WaitingResponse? {
        switch passage {
        case .response(let exchange, let wait):
            if case .virtual = wait, !isOver { return nil }
            guard var parked = parked.removeValue(forKey: exchange) else { return nil }
            parked.response.delivery.delay = parked.hold
            if case .real(let left) = wait { parked.response.delivery.delay += left }
            return parked
        case .request(let ticket, let decision):
            guard let held = held.removeValue(forKey: ticket) else { return nil }
            if case .virtual = decision.wait, !isOver {
                park(decision, with: held.promise, held.consultation, isAtGate: true)
                return nil
            }
            let response = response(for: decision, held.consultation)
            return LiveSession.WaitingResponse(promise: held.promise, response: response, isAtGate: true)
        }
    }

    /// All waiting requests and events.
    mutating func takeAll() -> LiveSession.Effects {
        session.retireGates(at: latest)
        var effects = takeDue()
        effects.responses += parked.sorted { $0.key < $1.key }.map(\.value)
        parked = [:]
        for promise in streams.values { promise.send(part: [], isLast: true) }
        streams = [:]
        sockets = [:]
        effects.wakes += waits.takeAll()
        return effects
    }

    // MARK: Alarms

    /// Lets an automatic clock jump to the next moment that an exchange or a sleeping client waits for.
    mutating func jump(at now: MonotonicTime) {
        guard let next = waits.nextJump, session.isIdleOnAutomaticClock else { return session.jumpIfWaiting(at: now) }
        if session.isWaitingForTime, let due = session.nextDue, due < next { return session.jumpIfWaiting(at: now) }
        session.advance(by: next - session.time(at: now), at: now)
    }

    func isQuiet(at now: MonotonicTime) -> Bool { quietTime.end <= now }

    /// When the session has to be looked after again, because time alone will let a response out.
    ///
    /// `nil` when nothing will, or when an alarm is set that comes soon enough: it asks again when it goes off. So
    /// there is one alarm for a session and not one for every response that waits in it.
    mutating func alarm(at now: MonotonicTime) -> MonotonicTime? {
        guard !parked.isEmpty || session.isHolding || !waits.isEmpty || session.hasOpenStreams else { return nil }
        var wanted = session.nextRelease(at: now)
        if let moment = waits.next.flatMap({ session.clock.arrival(of: $0, at: max(now, latest)) }) {
            wanted = min(wanted ?? moment, moment)
        }
        session.gateSlack = quietTime.slack
        if session.isWaitingForTime || session.isIdleOnAutomaticClock && waits.nextJump != nil {
            wanted = quietTime.end
        }
        if let timeout = session.nextGateTimeout { wanted = min(wanted ?? .never, timeout) }
        guard let wanted else { return nil }
        if let armed, armed <= wanted { return nil }
        armed = wanted
        return wanted
    }
}

/// The other waits on a session's clock in addition to its responses: clients in this process that sleep in the session's time.
struct SessionWaits: Sendable {
    private struct Wait: Sendable {
        /// `nil` for one that waits for a request.
        var moment: VirtualTime?
        var movesClock = false
        /// The number of the exchange that ends it.
        var exchange = UInt64.max
        var wake: @Sendable () -> Void
    }

    private var waits: [UInt64: Wait] = [:]
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { waits.isEmpty }

    /// The earliest moment that is waited for.
    var next: VirtualTime? { waits.values.compactMap(\.moment).min() }

    /// The earliest moment that an automatic clock jumps to.
    var nextJump: VirtualTime? { waits.values.filter(\.movesClock).compactMap(\.moment).min() }

    /// - Parameter movesClock: whether an automatic clock jumps to the moment: for a client that sleeps, and not for one
    ///   that gives up waiting for a response.
    mutating func add(
        until moment: VirtualTime,
        movesClock: Bool,
        _ wake: @escaping @Sendable () -> Void
    ) -> UInt64 {
        lastNumber += 1
        waits[lastNumber] = Wait(moment: moment, movesClock: movesClock, wake: wake)
        return lastNumber
    }

    /// - Parameter exchange: the number of the exchange that is waited for; a later one ends the wait as well.
    mutating func add(
        untilDecided exchange: UInt64,
        _ wake: @escaping @Sendable () -> Void
    ) -> UInt64 {
        lastNumber += 1
        waits[lastNumber] = Wait(exchange: exchange, wake: wake)
        return lastNumber
    }

    mutating func remove(_ number: UInt64) -> (@Sendable () -> Void)? { waits.removeValue(forKey: number)?.wake }

    /// Takes what a moment or an exchange ends, the earliest first.
    mutating func take(dueBy time: VirtualTime, decided exchange: UInt64) -> [@Sendable () -> Void] {
        guard !waits.isEmpty else { return [] }
        let due = waits.filter { _, wait in
            wait.exchange <= exchange || wait.moment.map { $0 <= time } ?? false
        }
        for number in due.keys { waits[number] = nil }
        return due.sorted { ($0.value.moment ?? time, $0.key) < ($1.value.moment ?? time, $1.key) }.map(\.value.wake)
    }

    mutating func takeAll() -> [@Sendable () -> Void] {
        defer { waits = [:] }
        return waits.sorted { $0.key < $1.key }.map(\.value.wake)
    }
}
