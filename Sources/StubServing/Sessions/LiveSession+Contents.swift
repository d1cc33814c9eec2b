import Basics
import HTTPCodec
import HTTPServing
import ScenarioFormat
import Simulation

extension LiveSession {
    /// The client of a request, and what the contract says about the request.
    struct WaitingClient: Sendable {
        var promise: ResponsePromise
        var consultation: RequestConsultation?
        /// The request as the client has sent it, for a server that it is sent on to.
        var request: HTTPRequest?
    }

    /// The contract's evaluation of a request that an upstream has, and the scenario's part in the response.
    struct UpstreamReview: Sendable {
        private let consultation: RequestConsultation
        private let decision: Decision
        private let method: HTTPMethod

        /// - Returns: `nil` where the response is not to be what the upstream sends.
        init?(of decision: Decision, for client: WaitingClient) {
            guard let consultation = client.consultation, let request = client.request,
                let forwarding = decision.forwarding, forwarding.fault == nil
            else { return nil }
            (self.consultation, self.decision, method) = (consultation, decision, request.method)
        }

        /// Statuses of responses that have only a part of what the contract documents, or nothing of it.
        private static let partial: Set<Int> = [101, 206, 304, 412, 416]

        /// The note about the upstream's response; `nil` without one.
        func review(_ answer: UpstreamAnswer) -> ResponseReview? {
            guard answer.isWhole, method != .head, !Self.partial.contains(answer.response.status.code) else {
                return nil
            }
            var decision = decision
            decision.response = answer.response
            return consultation.review(decision)
        }
    }

    /// A response that waits on the virtual clock or at a gate.
    struct WaitingResponse: Sendable {
        var promise: ResponsePromise
        var response: OutgoingResponse
        /// The time for which it is held once it waits no longer.
        var hold = Duration.zero
        var isAtGate = false
    }

    /// The output of a session, which is performed after its lock.
    struct Output: Sendable {
        var responses: [WaitingResponse] = []
        var openings: [GateOpening] = []
        /// The closures that waited for the session's clock or for an exchange.
        var wakes: [@Sendable () -> Void] = []
        /// The actions on processes of the client, before any response is sent.
        var processActions: [ProcessAction] = []
        /// The closure that performs them.
        var enact: (@Sendable (ProcessAction) -> Void)?

        var isEmpty: Bool { responses.isEmpty && openings.isEmpty && wakes.isEmpty && processActions.isEmpty }
    }

    /// The state that the lock guards.
    struct Contents: Sendable {
        var session: Session
        var setup: Setup
        /// The routing data of the setup, which identifies the setup that requests were routed by.
        var play: Play
        /// Distinguishes the session in exchange handles.
        let ordinal: UInt64
        let runtime: SessionRuntime
        /// The size of the journal that has been counted in the server's budget, in bytes.
        var countedBytes = 0
        /// The size of what requests have stored that has been counted in the server's budget, in bytes.
        var countedStorage = 0
        /// By the exchange's number in the session.
        var parked: [UInt64: WaitingResponse] = [:]
        /// Where the parts of open streams go, by the exchange's number in the session.
        var streams: [UInt64: ResponsePromise] = [:]
        /// The reviews of responses that an upstream is to give, by the exchange's number in the session.
        var reviews: [UInt64: UpstreamReview] = [:]
        /// The open WebSockets, by the exchange's number in the session.
        var sockets: [UInt64: OpenWebSocket] = [:]
        /// The processes of the client by listener.
        var processes: [Int: String] = [:]
        /// The closure that starts, freezes and ends them.
        var enactProcess: (@Sendable (ProcessAction) -> Void)?
        /// The clients of undecided requests at gates, by ticket.
        var held: [UInt64: WaitingClient] = [:]
        /// The waits on the session's clock in addition to the responses.
        var waits = SessionWaits()
        /// The states to which the session can be restored, by name.
        var checkpoints: [String: HostedCheckpoint] = [:]
        var output = Output()
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

        init(session: Session, setup: Setup, play: Play, ordinal: UInt64, runtime: SessionRuntime) {
            (self.session, self.setup, self.play, self.ordinal, self.runtime) = (session, setup, play, ordinal, runtime)
            quietTime = QuietTime(measuresLag: runtime.measuresLag)
        }
    }
}

extension LiveSession.Contents {
    /// Counts what the journal has grown by, and what requests have stored.
    ///
    /// If all journals together are too large, other sessions drop their journals, those whose last traffic is oldest
    /// first. If that does not happen in time, this session drops the older half of its journal, and also a newest
    /// exchange that is larger than that.
    mutating func countMemory() {
        countStorage()
        switch runtime.budget.count(takeJournalGrowth()) {
        case .fits: break
        case .isFull: runtime.makeRoom(for: ordinal)
        case .isExceeded: halveJournal()
        }
    }

    /// Forgets the older half of the journal; the newest exchange, too, if it is larger than that.
    private mutating func halveJournal() {
        session.shrinkJournal(to: session.journal.bytes / 2)
        _ = runtime.budget.count(takeJournalGrowth())
    }

    /// Forgets all exchanges, which count as dropped.
    mutating func dropJournal() {
        session.shrinkJournal(to: 0)
        _ = runtime.budget.count(takeJournalGrowth())
    }

    /// The change of the journal's size since it was last asked for, in whole steps, the last of which counts as full.
    private mutating func takeJournalGrowth() -> Int {
        let size = MemoryBudget.steps(session.journal.bytes)
        defer { countedBytes = size }
        return size - countedBytes
    }

    /// Counts what requests have stored.
    private mutating func countStorage() {
        let size = MemoryBudget.steps(session.backend.storedBytes)
        guard size != countedStorage else { return }
        _ = runtime.storage.count(size - countedStorage)
        countedStorage = size
    }

    /// Gives back what was counted, when the session is gone.
    mutating func returnBudget() {
        _ = runtime.budget.count(-countedBytes)
        _ = runtime.storage.count(-countedStorage)
        (countedBytes, countedStorage) = (0, 0)
        dropSockets()
    }

    /// Forgets the WebSockets of some exchanges, and gives back what their unfinished messages count for.
    mutating func dropSockets(_ exchange: UInt64? = nil) {
        for number in exchange.map({ [$0] }) ?? Array(sockets.keys) {
            guard let socket = sockets.removeValue(forKey: number) else { continue }
            _ = runtime.messages.count(-socket.counted)
        }
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
        perform(session.step(.time, at: now))
        return now
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
            !decision.isStream, decision.forwarding == nil, isUndisturbed, !session.waitsForEnds
        else { return false }
        return decision.message.body.count <= PreparedResponse.largestBody
    }

    /// Notes the end of an exchange, for whose end a request may have waited at a gate.
    mutating func end(_ exchange: UInt64, _ outcome: ExchangeOutcome, at now: MonotonicTime) {
        parked[exchange] = nil
        streams[exchange] = nil
        dropSockets(exchange)
        reviews[exchange] = nil
        perform(session.step(.ended(exchange: exchange, outcome), at: now))
    }

    /// An exchange for the log, without the tokens of other servers.
    func shown(_ exchange: UInt64) -> Exchange? {
        session.journal.exchange(exchange).map { session.shown($0) }
    }

    // MARK: Effects

    /// Performs the effects of a step, or prepares them for the end of the critical section.
    ///
    /// - Parameter client: the client of the step's request.
    /// - Returns: the decision about that request, if its response does not wait.
    @discardableResult
    mutating func perform(_ effects: [Session.Effect], for client: LiveSession.WaitingClient? = nil) -> Decision? {
        var own: Decision?
        for effect in effects {
            switch effect {
            case .decided(let decision):
                guard let client else { continue }
                own = send(decision, to: client, isAtGate: false)
            case .responseHeld(let decision):
                guard let client else { continue }
                park(reviewed(decision, for: client), for: client, isAtGate: true)
            case .requestHeld(let ticket):
                guard let client else { continue }
                held[ticket] = client
                runtime.addHeld(client.promise, at: .init(session: ordinal, holder: .ticket(ticket)))
            case .opened(let opening):
                for released in opening.released { release(released) }
                output.openings.append(opening)
            case .released(let exchange):
                if let waiting = parked.removeValue(forKey: exchange) { output.responses.append(waiting) }
            case .sent(let part):
                // Sent here, under the lock, so that parts keep their order; nothing is called back.
                streams[part.exchange]?.send(part: part.bytes, isLast: part.isLast)
                if part.isLast { streams[part.exchange] = nil }
            case .process(let action): output.processActions.append(action)
            }
        }
        return own
    }

    /// Completes a decision; returns it, reviewed by the contract, unless its response waits on the virtual clock.
    private mutating func send(
        _ decision: Decision,
        to client: LiveSession.WaitingClient,
        isAtGate: Bool
    ) -> Decision? {
        let decision = reviewed(decision, for: client)
        if decision.isStream { streams[decision.exchange] = client.promise }
        if decision.isStream, let role = decision.webSocket {
            sockets[decision.exchange] = LiveSession.OpenWebSocket(echoes: role.echoes)
        }
        guard case .virtual = decision.wait, !isOver else { return decision }
        park(decision, for: client, isAtGate: isAtGate)
        return nil
    }

    /// The decision after the contract's review: the findings are noted, and a refused response is replaced.
    ///
    /// A response is reviewed before it waits, because it may leave as soon as it waits.
    private mutating func reviewed(_ decision: Decision, for client: LiveSession.WaitingClient) -> Decision {
        lastNumber = max(lastNumber, pastNumbers + decision.exchange)
        // The message of an upstream is reviewed when it comes.
        guard decision.forwarding == nil else {
            reviews[decision.exchange] = LiveSession.UpstreamReview(of: decision, for: client)
            return decision
        }
        guard let review = client.consultation?.review(decision) else { return decision }
        session.note(review.violations, of: decision.exchange, replacement: review.replacement)
        guard let replacement = review.replacement else { return decision }
        if decision.isStream { session.dropStream(decision.exchange) }
        var decision = decision
        (decision.response, decision.isStream, decision.pacing) = (replacement, false, nil)
        return decision
    }

    func response(for decision: Decision, to client: LiveSession.WaitingClient) -> OutgoingResponse {
        let handle = ExchangeHandle(ordinal, pastNumbers + decision.exchange).rawValue
        var response = OutgoingResponse(decision, exchange: handle)
        guard let forwarder = setup.prepared.forwarder, let request = client.request, let upstream = session.upstreamURL
        else { return response }
        if let forwarding = decision.forwarding {
            let exchange = ForwardedExchange(handle, request, to: upstream, forwarding)
            response.producer = forwarder.producer(for: exchange, of: runtime.upstreamHost)
        } else if let time = decision.withheld {
            let exchange = ForwardedExchange(handle, request, to: upstream, .withheld(at: time))
            forwarder.record(decision.response, to: exchange, secrets: [], hasBody: true)
        }
        return response
    }

    /// Keeps a response that has to wait.
    private mutating func park(_ decision: Decision, for client: LiveSession.WaitingClient, isAtGate: Bool) {
        parked[decision.exchange] = LiveSession.WaitingResponse(
            promise: client.promise,
            response: response(for: decision, to: client),
            hold: decision.hold,
            isAtGate: isAtGate
        )
        if isAtGate {
            runtime.addHeld(client.promise, at: .init(session: ordinal, holder: .exchange(decision.exchange)))
        }
    }

    /// Sends the response to a request that is released from a gate, unless it still has to wait on the virtual clock.
    private mutating func release(_ released: ReleasedRequest) {
        switch released {
        case .response(let exchange, let wait):
            if case .virtual = wait, !isOver { return }
            guard var waiting = parked.removeValue(forKey: exchange) else { return }
            waiting.response.delivery.delay = waiting.hold
            if case .real(let left) = wait { waiting.response.delivery.delay += left }
            output.responses.append(waiting)
        case .request(let ticket, let decision):
            guard let client = held.removeValue(forKey: ticket),
                let decision = send(decision, to: client, isAtGate: true)
            else { return }
            output.responses.append(
                LiveSession.WaitingResponse(
                    promise: client.promise,
                    response: response(for: decision, to: client),
                    isAtGate: true
                )
            )
        }
    }

    /// Releases all waiting requests and closures.
    mutating func releaseAll() {
        session.retireGates(at: latest)
        perform(session.takeEffects())
        output.responses += parked.sorted { $0.key < $1.key }.map(\.value)
        parked = [:]
        for promise in streams.values { promise.send(part: [], isLast: true) }
        streams = [:]
        dropSockets()
        reviews = [:]
        output.wakes += waits.takeAll()
    }

    /// Removes the output of a critical section; `nil` without any.
    mutating func takeOutput() -> LiveSession.Output? {
        if !waits.isEmpty {
            output.wakes +=
                isOver ? waits.takeAll() : waits.take(dueBy: session.time(at: latest), decided: lastNumber)
        }
        guard !output.isEmpty else { return nil }
        defer { output = LiveSession.Output() }
        output.enact = enactProcess
        return output
    }

    // MARK: Alarms

    /// Lets an automatic clock jump to the next moment that an exchange or a sleeping client waits for.
    mutating func jump(at now: MonotonicTime) {
        guard let next = waits.nextJump, session.isIdleOnAutomaticClock else { return session.jumpIfWaiting(at: now) }
        if session.isWaitingForTime, let due = session.nextDue, due < next { return session.jumpIfWaiting(at: now) }
        session.advance(by: next - session.time(at: now), at: now)
    }

    func isQuiet(at now: MonotonicTime) -> Bool { quietTime.end <= now }

    /// The moment at which to wake the session, because time alone will release a response.
    ///
    /// `nil` when nothing will, or when an alarm is set that comes soon enough: it asks again when it goes off. So
    /// there is one alarm for a session and not one for every response that waits in it.
    mutating func takeAlarm() -> MonotonicTime? {
        guard !isOver, !parked.isEmpty || !waits.isEmpty || session.isHoldingOrStreaming else {
            return nil
        }
        var wanted = session.nextRelease(at: latest)
        if let moment = waits.next.flatMap({ session.clock.arrival(of: $0, at: latest) }) {
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
