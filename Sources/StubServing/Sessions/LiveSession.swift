import HTTPServing
import HTTPWire
import ScenarioFormat
import Simulation
import SocketIO
import Synchronization

/// A session that clients talk to at this moment, with the replies that wait in it.
///
/// A class, because it is one thing that event loops, timers and the admin API share. Everything that can change is
/// behind one lock, and every decision is one critical section; sessions never wait for each other.
final class LiveSession: Sendable {
    /// What the session plays, and how it began, so that it can begin again.
    struct Origin: Sendable {
        var loaded: LoadedScenario
        var stage: CompiledScenario
        /// The story's id when it was chosen by one.
        var story: String?
        var seed: UInt64?
        var start: VirtualTime?
    }

    fileprivate struct Contents: Sendable {
        var session: Session
        var origin: Origin
        /// Replies that wait on the virtual clock, by exchange.
        var parked: [UInt64: (promise: ReplyPromise, reply: HTTPReply)] = [:]
    }

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

    /// Decides a request and says whether its reply goes out now.
    func answer(_ request: HTTPRequest, from peer: Peer, with promise: ReplyPromise) -> (Served, alarm: Alarm) {
        let now = RealTime(peer.arrival)
        return contents.withLock { contents in
            let decision = contents.session.decide(request, at: now, connection: peer.connection)
            let reply = HTTPReply(decision, exchange: ExchangeHandle(ordinal, decision.exchange).rawValue)
            var served = Served.now(reply)
            if case .virtual = decision.wait {
                contents.parked[decision.exchange] = (promise, reply)
                served = .later
            }
            contents.fulfilReleased()
            return (served, contents.alarm(at: now))
        }
    }

    /// Notes the end of an exchange, and returns it for the log.
    func end(_ exchange: UInt64, _ outcome: ExchangeOutcome, at now: RealTime) -> Exchange? {
        contents.withLock { contents in
            contents.parked[exchange] = nil
            contents.session.end(exchange, Exchange.Outcome(outcome), at: now)
            return contents.session.journal.exchange(exchange)
        }
    }

    /// Looks at the session or changes it, as the admin API does, and lets out what that released.
    func access<Result: Sendable>(
        at now: RealTime,
        _ body: (inout Session) throws(AdminError) -> Result
    ) throws(AdminError) -> (Result, alarm: Alarm) {
        let outcome = contents.withLock { contents -> (Swift.Result<Result, AdminError>, Alarm) in
            contents.session.catchUp(at: now)
            let result: Swift.Result<Result, AdminError>
            do throws(AdminError) {
                result = .success(try body(&contents.session))
            } catch {
                result = .failure(error)
            }
            contents.fulfilReleased()
            return (result, contents.alarm(at: now))
        }
        return (try outcome.0.get(), outcome.1)
    }

    /// Begins again, with the same story or another one.
    ///
    /// Replies that were parked are let go at once.
    func restart(_ session: Session, origin: Origin) {
        contents.withLock { contents in
            for (_, waiting) in contents.parked { waiting.promise.fulfil(waiting.reply) }
            contents = Contents(session: session, origin: origin)
        }
    }

    /// Goes on with another version of its scenario.
    func reload(_ loaded: LoadedScenario, _ stage: CompiledScenario, at now: RealTime) {
        contents.withLock { contents in
            contents.origin.loaded = loaded
            contents.origin.stage = stage
            contents.session.replace(stage, at: now)
        }
    }

    /// When somebody has to look after the session again, because time alone will have changed something.
    enum Alarm: Sendable {
        case none
        /// A parked reply becomes due.
        case at(MonotonicTime)
        /// An automatic clock may jump, if nothing arrives for a moment.
        case whenQuiet
    }

    /// Does what an alarm was set for.
    func wake(at now: RealTime, jumping: Bool) -> Alarm {
        contents.withLock { contents in
            if jumping { contents.session.jumpIfWaiting(at: now) } else { contents.session.catchUp(at: now) }
            contents.fulfilReleased()
            return contents.alarm(at: now)
        }
    }
}

extension LiveSession.Contents {
    /// Sends the replies whose virtual wait is over.
    fileprivate mutating func fulfilReleased() {
        for exchange in session.takeReleased() {
            guard let waiting = parked.removeValue(forKey: exchange) else { continue }
            waiting.promise.fulfil(waiting.reply)
        }
    }

    fileprivate func alarm(at now: RealTime) -> LiveSession.Alarm {
        guard !parked.isEmpty else { return .none }
        if session.isWaitingForTime { return .whenQuiet }
        return session.nextRelease(at: now).map { .at(MonotonicTime(nanoseconds: $0.nanoseconds)) } ?? .none
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
