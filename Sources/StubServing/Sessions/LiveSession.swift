import HTTPServing
import HTTPWire
import ScenarioFormat
import Simulation
import SocketIO
import Synchronization

/// A session that clients talk to at this moment, with the replies that wait in it.
///
/// A class, because it is one thing that event loops, timers and the admin API share. Everything that can change is
/// behind one lock, and every decision is one critical section; sessions never wait for each other. Replies are let go
/// after the lock, because a server that is stopping answers a promise by calling back into the session.
final class LiveSession: Sendable {
    /// What the session plays, and how it began, so that it can begin again.
    struct Origin: Sendable {
        var loaded: LoadedScenario
        var stage: CompiledScenario
        /// The contract beside it, where something is done with one.
        var contract: ContractPlay?
        /// The story's id when it was chosen by one.
        var story: String?
        var seed: UInt64?
        var start: VirtualTime?
    }

    /// An automatic clock jumps when no request has come and none has ended for so long.
    static let quiet = Duration.milliseconds(5)

    let name: String
    /// Distinguishes the session in exchange handles; never used again for another one.
    let ordinal: UInt64
    private let contents: Mutex<Contents>

    init(_ session: Session, origin: Origin, ordinal: UInt64) {
        name = session.name
        self.ordinal = ordinal
        contents = Mutex(Contents(session: session, origin: origin))
    }

    var origin: Origin { contents.withLock { $0.origin } }

    var stage: CompiledScenario { contents.withLock { $0.origin.stage } }

    // MARK: Exchanges

    /// Decides a request and says whether its reply goes out now, and when to wake the session.
    func answer(
        _ request: HTTPRequest,
        from peer: Peer,
        with promise: ReplyPromise
    ) -> (Served, alarm: MonotonicTime?) {
        let consultation = contents.withLock { $0.origin.contract }?.consult(request)
        let (decision, number, due, alarm) = contents.withLock { contents in
            let now = contents.noteTraffic(at: RealTime(peer.arrival))
            var decision = contents.session.decide(
                request,
                at: now,
                connection: peer.connection,
                counsel: consultation?.counsel
            )
            contents.lastNumber = contents.pastNumbers + decision.exchange
            if case .virtual = decision.wait, !contents.isOver {
                // Once it is parked it may leave, so it is judged before.
                if let review = consultation?.review(decision) { contents.take(review, for: &decision) }
                let reply = HTTPReply(decision, exchange: ExchangeHandle(ordinal, contents.lastNumber).rawValue)
                contents.parked[decision.exchange] = ParkedReply(promise: promise, reply: reply)
                return (Decision?.none, contents.lastNumber, contents.takeDue(), contents.alarm(at: now))
            }
            return (decision, contents.lastNumber, contents.takeDue(), contents.alarm(at: now))
        }
        for parked in due { parked.release() }
        guard var decision else { return (.later, alarm) }
        // Judged outside of the lock, so that nobody else of the session waits for it.
        if let review = consultation?.review(decision) {
            contents.withLock { contents in
                guard number > contents.pastNumbers else { return }
                contents.take(review, for: &decision)
            }
        }
        return (.now(HTTPReply(decision, exchange: ExchangeHandle(ordinal, number).rawValue)), alarm)
    }

    /// Notes the end of an exchange, and returns it where somebody wants to log it.
    ///
    /// An exchange of an earlier life of the session, before it began again, is nobody's any more.
    func end(
        _ number: UInt64,
        _ outcome: ExchangeOutcome,
        at now: RealTime,
        isLogged: Bool
    ) -> (exchange: Exchange?, alarm: MonotonicTime?) {
        contents.withLock { contents in
            guard number > contents.pastNumbers else { return (nil, nil) }
            let exchange = number - contents.pastNumbers
            let now = contents.noteTraffic(at: now)
            contents.parked[exchange] = nil
            contents.session.end(exchange, Exchange.Outcome(outcome), at: now)
            let logged = isLogged ? contents.session.journal.exchange(exchange) : nil
            return (logged, contents.alarm(at: now))
        }
    }

    /// Looks at the session or changes it, as the admin API does, and lets out what that released.
    func access<Result: Sendable>(
        at now: RealTime,
        _ body: (inout Session, RealTime) throws(AdminError) -> Result
    ) throws(AdminError) -> (Result, alarm: MonotonicTime?) {
        try access(at: now) { (session, _, now) throws(AdminError) in try body(&session, now) }
    }

    /// The same for whoever has to know what is played, and must not be told of another life's story.
    func access<Result: Sendable>(
        at now: RealTime,
        _ body: (inout Session, Origin, RealTime) throws(AdminError) -> Result
    ) throws(AdminError) -> (Result, alarm: MonotonicTime?) {
        let (result, due, alarm) = contents.withLock { contents in
            let now = contents.later(of: now)
            contents.session.catchUp(at: now)
            let result: Swift.Result<Result, AdminError>
            do throws(AdminError) {
                result = .success(try body(&contents.session, contents.origin, now))
            } catch {
                result = .failure(error)
            }
            return (result, contents.takeDue(), contents.alarm(at: now))
        }
        for parked in due { parked.release() }
        return (try result.get(), alarm)
    }

    /// The session as it is now, for whoever reads at leisure.
    func copy(at now: RealTime) -> (session: Session, loaded: LoadedScenario, now: RealTime) {
        contents.withLock { contents in
            let now = contents.later(of: now)
            var session = contents.session
            session.catchUp(at: now)
            return (session, contents.origin.loaded, now)
        }
    }

    // MARK: Time

    /// Does what an alarm was set for, and says when to wake the session again.
    func wake(by alarm: MonotonicTime, at now: RealTime) -> MonotonicTime? {
        let (due, next) = contents.withLock { contents in
            if contents.armed == alarm { contents.armed = nil }
            let now = contents.later(of: now)
            contents.session.catchUp(at: now)
            if contents.isQuiet(at: now) { contents.session.jumpIfWaiting(at: now) }
            return (contents.takeDue(), contents.alarm(at: now))
        }
        for parked in due { parked.release() }
        return next
    }

    // MARK: Lives

    /// Begins again, with the same story or another one; replies that waited are let go at once.
    func restart(_ session: Session, origin: Origin) {
        let parked = contents.withLock { contents in
            contents.session = session
            contents.origin = origin
            contents.pastNumbers = contents.lastNumber
            return contents.takeAll()
        }
        for parked in parked { parked.release() }
    }

    /// Lets go of all replies, now and from now on: nobody will move this session's clock any more.
    func endLife() {
        let parked = contents.withLock { contents in
            contents.isOver = true
            return contents.takeAll()
        }
        for parked in parked { parked.release() }
    }

    /// Goes on with another version of its scenario, unless it plays another one by now.
    func reload(_ staged: ContractStaging.Staged, at now: RealTime) -> MonotonicTime? {
        let (due, alarm) = contents.withLock { contents -> ([ParkedReply], MonotonicTime?) in
            guard contents.origin.loaded.path == staged.loaded.path else { return ([], nil) }
            let now = contents.later(of: now)
            contents.origin.loaded = staged.loaded
            contents.origin.stage = staged.stage
            contents.origin.contract = staged.contract
            contents.session.replace(staged.stage, at: now)
            return (contents.takeDue(), contents.alarm(at: now))
        }
        for parked in due { parked.release() }
        return alarm
    }
}

extension LiveSession {
    /// A reply that waits on the virtual clock.
    fileprivate struct ParkedReply: Sendable {
        var promise: ReplyPromise
        var reply: HTTPReply

        func release() {
            promise.fulfil(reply)
        }
    }

    fileprivate struct Contents: Sendable {
        var session: Session
        var origin: Origin
        /// By the exchange's number in the session.
        var parked: [UInt64: ParkedReply] = [:]
        /// The number of the newest exchange, counted through all lives of the session.
        var lastNumber: UInt64 = 0
        /// How many of the numbers belong to earlier lives.
        var pastNumbers: UInt64 = 0
        /// The latest moment that this session has seen.
        var latest = RealTime(nanoseconds: 0)
        /// When a request came or an exchange ended last.
        var lastTraffic = RealTime(nanoseconds: 0)
        /// The earliest alarm that is set and has not gone off.
        var armed: MonotonicTime?
        var isOver = false
    }
}

extension LiveSession.Contents {
    /// Time never goes back in a session, although event loops take their time independently of each other.
    mutating func later(of now: RealTime) -> RealTime {
        latest = max(latest, now)
        return latest
    }

    mutating func noteTraffic(at now: RealTime) -> RealTime {
        lastTraffic = later(of: now)
        return lastTraffic
    }

    /// Notes what was found in a reply, and puts into its place what is sent instead.
    mutating func take(_ review: Review, for decision: inout Decision) {
        session.note(review.violations, of: decision.exchange, replacement: review.replacement)
        guard let replacement = review.replacement else { return }
        decision.response = replacement
        decision.pacing = nil
    }

    /// The replies whose virtual wait is over.
    mutating func takeDue() -> [LiveSession.ParkedReply] {
        session.takeReleased().compactMap { parked.removeValue(forKey: $0) }
    }

    mutating func takeAll() -> [LiveSession.ParkedReply] {
        defer { parked = [:] }
        return parked.sorted { $0.key < $1.key }.map(\.value)
    }

    private var quietFrom: MonotonicTime {
        MonotonicTime(nanoseconds: lastTraffic.nanoseconds).advanced(by: LiveSession.quiet)
    }

    func isQuiet(at now: RealTime) -> Bool {
        quietFrom.nanoseconds <= now.nanoseconds
    }

    /// When somebody has to look after the session again, because time alone will let a reply out.
    ///
    /// `nil` when nothing will, or when an alarm is set that comes soon enough: it asks again when it goes off. So
    /// there is one alarm for a session and not one for every reply that waits in it.
    mutating func alarm(at now: RealTime) -> MonotonicTime? {
        guard !parked.isEmpty else { return nil }
        let release = session.nextRelease(at: now).map { MonotonicTime(nanoseconds: $0.nanoseconds) }
        guard let wanted = session.isWaitingForTime ? quietFrom : release else { return nil }
        if let armed, armed <= wanted { return nil }
        armed = wanted
        return wanted
    }
}

extension RealTime {
    init(_ time: MonotonicTime) {
        self.init(nanoseconds: time.nanoseconds)
    }
}

extension Exchange.Outcome {
    fileprivate init(_ outcome: ExchangeOutcome) {
        switch outcome {
        case .sent: self = .sent
        case .clientGone: self = .clientGone
        case .faulted: self = .faulted
        }
    }
}
