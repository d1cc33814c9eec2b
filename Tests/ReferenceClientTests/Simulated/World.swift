import HTTPCodec
import ScenarioFormat
import Simulation
import TestSupport

@testable import ReferenceClients

/// A session with everything that is under way to and from it, at a moment.
struct World {
    typealias Answer = Result<HTTPResponse, TransportError>
    typealias Waiting = CheckedContinuation<Answer, Never>
    /// Wakes whoever waits; to be called when nothing is locked.
    typealias Wake = @Sendable () -> Void

    enum Happening {
        case arrival(Request, String?, Waiting)
        /// The response leaves the server.
        case departure(UInt64, Answer, Waiting)
        /// The response, or that there is none, reaches the client.
        case delivery(UInt64, Answer, Waiting)
        case timer(CheckedContinuation<Void, Never>)
    }

    /// How long a client waits for a response that never comes.
    static let timeout = Duration.seconds(30)

    var session: Session
    var now: RealTime
    var schedule: Schedule
    var events = EventQueue<RealTime, Happening>()
    /// Responses that wait on the session's clock.
    private var parked: [UInt64: (answer: Answer, waiting: Waiting)] = [:]
    /// How long those are held after that.
    private var held: [UInt64: Duration] = [:]
    private var connections: UInt64 = 0

    init(session: Session, now: RealTime, schedule: Schedule) {
        self.session = session
        self.now = now
        self.schedule = schedule
    }

    mutating func send(_ request: Request, by process: String?, _ waiting: Waiting) {
        events.add(.arrival(request, process, waiting), due: now + schedule.transit())
    }

    /// Lets the next thing happen, and returns whom to wake; `nil` when nothing is going to happen.
    mutating func step() -> Wake? {
        if let release = session.nextRelease(at: now), events.next.map({ release < $0 }) ?? true {
            now = max(now, release)
            session.catchUp(at: now)
            noteReleased()
            return {}
        }
        if let (due, happening) = events.take() {
            now = max(now, due)
            return happen(happening)
        }
        guard session.isWaitingForTime else { return nil }
        session.jumpIfWaiting(at: now)
        noteReleased()
        return {}
    }

    private mutating func happen(_ happening: Happening) -> Wake {
        switch happening {
        case .timer(let continuation): return { continuation.resume() }
        case .arrival(let request, let process, let waiting):
            arrive(request, process, waiting)
            return {}
        case .departure(let exchange, let answer, let waiting):
            if !schedule.seesArrivals { end(exchange, answer) }
            events.add(.delivery(exchange, answer, waiting), due: now + schedule.transit())
            return {}
        case .delivery(let exchange, let answer, let waiting):
            if schedule.seesArrivals { end(exchange, answer) }
            return { waiting.resume(returning: answer) }
        }
    }

    private mutating func arrive(_ request: Request, _ process: String?, _ waiting: Waiting) {
        connections += 1
        if let process { session.note(process: process, on: connections) }
        let decision = session.decide(request.http, at: now, connection: connections, origin: request.origin)
        let answer: Answer = decision.fault.map { .failure(TransportError($0)) } ?? .success(decision.response)
        switch decision.wait {
        case .none: depart(decision, answer, waiting, after: .zero)
        case .real(let duration): depart(decision, answer, waiting, after: duration)
        case .virtual:
            parked[decision.exchange] = (answer, waiting)
            held[decision.exchange] = decision.hold
        }
        noteReleased()
    }

    private mutating func depart(_ decision: Decision, _ answer: Answer, _ waiting: Waiting, after wait: Duration) {
        let wait = decision.fault == .never ? Self.timeout : wait + decision.hold + schedule.service()
        events.add(.departure(decision.exchange, answer, waiting), due: now + wait)
    }

    /// Sends the responses whose wait on the session's clock is over.
    mutating func noteReleased() {
        for exchange in session.takeReleased() {
            guard let (answer, waiting) = parked.removeValue(forKey: exchange) else { continue }
            let hold = held.removeValue(forKey: exchange) ?? .zero
            events.add(.departure(exchange, answer, waiting), due: now + hold)
        }
    }

    private mutating func end(_ exchange: UInt64, _ answer: Answer) {
        let outcome: Exchange.Outcome =
            switch answer {
            case .success: .sent
            case .failure(.timedOut): .clientGone
            case .failure: .faulted
            }
        session.end(exchange, outcome, at: now)
    }

    /// Whom to wake so that nobody waits for ever when the play is over.
    mutating func abandon() -> [Wake] {
        var wakes: [Wake] = []
        for happening in events.removeAll() {
            switch happening {
            case .arrival(_, _, let waiting), .departure(_, _, let waiting), .delivery(_, _, let waiting):
                wakes.append { waiting.resume(returning: .failure(.abandoned)) }
            case .timer(let continuation): wakes.append { continuation.resume() }
            }
        }
        for exchange in parked.keys.sorted() {
            guard let (_, waiting) = parked.removeValue(forKey: exchange) else { continue }
            wakes.append { waiting.resume(returning: .failure(.abandoned)) }
        }
        return wakes
    }
}
