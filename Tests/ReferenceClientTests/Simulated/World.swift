import Basics
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
        case arrival(Passage)
        /// The response leaves the server.
        case departure(Passage, Answer)
        /// The response, or that there is none, reaches the client.
        case delivery(Passage, Answer)
        case timer(CheckedContinuation<Void, Never>)
    }

    /// A request on its way to the server and back.
    struct Passage {
        /// The client's number of it.
        var number: UInt64
        var request: Request
        var process: String?
        /// One that the client has used before, or is to use again; another one each time when `nil`.
        var connection: UInt64?
    }

    /// How long a client waits for a response that never comes.
    static let timeout = Duration.seconds(30)

    var session: Session
    var now: MonotonicTime
    var schedule: Schedule
    var events = EventQueue<MonotonicTime, Happening>()
    /// The clients that wait, by their numbers.
    private var waiting: [UInt64: Waiting] = [:]
    /// What the server is answering, by the client's number of it.
    private var open: [UInt64: UInt64] = [:]
    /// The requests that were given up.
    private var abandoned: Set<UInt64> = []
    /// Responses that wait on the session's clock.
    private var parked: [UInt64: (passage: Passage, answer: Answer)] = [:]
    /// How long those are held after that.
    private var held: [UInt64: Duration] = [:]
    private var connections: UInt64 = 0
    private var passages: UInt64 = 0

    init(session: Session, now: MonotonicTime, schedule: Schedule) {
        self.session = session
        self.now = now
        self.schedule = schedule
    }

    /// A number for the next request.
    mutating func takeNumber() -> UInt64 {
        passages += 1
        return passages
    }

    mutating func openConnection() -> UInt64 {
        connections += 1
        return connections
    }

    mutating func send(_ passage: Passage, _ waiting: Waiting) {
        self.waiting[passage.number] = waiting
        events.add(.arrival(passage), due: now + schedule.transit())
    }

    /// The client waits no longer; its connection is closed.
    mutating func leave(_ number: UInt64) -> Wake? {
        guard let waiting = waiting.removeValue(forKey: number) else { return nil }
        abandoned.insert(number)
        end(number, .clientGone)
        return { waiting.resume(returning: .failure(.abandoned)) }
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
        case .arrival(let passage):
            arrive(passage)
            return {}
        case .departure(let passage, let answer):
            if !schedule.seesArrivals { end(passage.number, answer) }
            events.add(.delivery(passage, answer), due: now + schedule.transit())
            return {}
        case .delivery(let passage, let answer):
            end(passage.number, answer)
            let waiting = waiting.removeValue(forKey: passage.number)
            return { waiting?.resume(returning: answer) }
        }
    }

    private mutating func arrive(_ passage: Passage) {
        let connection = passage.connection ?? openConnection()
        if let process = passage.process { session.note(process: process, on: connection) }
        let request = passage.request
        let decision = session.decide(
            IncomingRequest(request.http, connection: connection, origin: request.origin),
            at: now
        )
        open[passage.number] = decision.exchange
        // The request arrives although nobody waits for its response any more.
        if abandoned.contains(passage.number) { end(passage.number, .clientGone) }
        let answer: Answer = decision.fault.map { .failure(TransportError($0)) } ?? .success(decision.response)
        switch decision.wait {
        case .none: depart(decision, passage, answer, after: .zero)
        case .real(let duration): depart(decision, passage, answer, after: duration)
        case .virtual:
            parked[decision.exchange] = (passage, answer)
            held[decision.exchange] = decision.hold
        }
        noteReleased()
    }

    private mutating func depart(_ decision: Decision, _ passage: Passage, _ answer: Answer, after wait: Duration) {
        let wait = decision.fault == .never ? Self.timeout : wait + decision.hold + schedule.service()
        events.add(.departure(passage, answer), due: now + wait)
    }

    /// Sends the responses whose wait on the session's clock is over.
    mutating func noteReleased() {
        for effect in session.takeEffects() {
            guard case .released(let exchange) = effect, let (passage, answer) = parked.removeValue(forKey: exchange)
            else { continue }
            let hold = held.removeValue(forKey: exchange) ?? .zero
            events.add(.departure(passage, answer), due: now + hold)
        }
    }

    private mutating func end(_ number: UInt64, _ answer: Answer) {
        switch answer {
        case .success: end(number, .sent)
        case .failure(.timedOut): end(number, .clientGone)
        case .failure: end(number, .faulted)
        }
    }

    /// Ends an exchange that has not ended yet.
    private mutating func end(_ number: UInt64, _ outcome: ExchangeOutcome) {
        if let exchange = open.removeValue(forKey: number) { session.end(exchange, outcome, at: now) }
    }

    /// Whom to wake so that nobody waits for ever when the play is over.
    mutating func abandon() -> [Wake] {
        var wakes: [Wake] = []
        for happening in events.removeAll() {
            if case .timer(let continuation) = happening { wakes.append { continuation.resume() } }
        }
        for number in waiting.keys.sorted() { if let wake = leave(number) { wakes.append(wake) } }
        return wakes
    }
}
