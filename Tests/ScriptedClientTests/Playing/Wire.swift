import Basics
import HTTPCodec
import ScenarioFormat
import Simulation
import TestSupport

/// The session, whatever is under way to and from it, and the time that passes meanwhile.
///
/// Nothing here waits: time goes to the next event. What is done at one moment is done in its order.
struct Wire {
    enum Event {
        /// The time has come to send something.
        case due(Int)
        /// A request has got its response.
        case came(Int, ReceivedResponse)
        /// Something happened on the server.
        case other
    }

    /// A request that is under way; the number is whatever its sender calls it.
    private struct Flight {
        var decision: Decision?
        var ticket: UInt64?
    }

    private enum Happening {
        case sending(Int)
        case arrival(Int, HTTPRequest, origin: String?)
        case departure(Int)
        case hangUp(Int)
    }

    /// How long the server thinks and the response travels.
    private static let transit = Duration.milliseconds(1)
    /// How long an automatic clock waits for somebody to come before it jumps.
    private static let quiet = Duration.milliseconds(20)
    /// How long a client waits for a response that never comes.
    private static let timeout = Duration.seconds(30)

    private(set) var session: Session
    private(set) var now: MonotonicTime
    private var flights: [Int: Flight] = [:]
    private var events = EventQueue<MonotonicTime, Happening>()
    private var connections: UInt64 = 0

    init(_ session: Session, at now: MonotonicTime) {
        self.session = session
        self.now = now
    }

    // MARK: Between requests

    /// Lets real time pass in which nothing is under way.
    mutating func pass(_ duration: Duration) {
        now = now.advanced(by: duration)
        session.catchUp(at: now)
        settle()
    }

    /// Does something to the session at this moment.
    mutating func access<Result>(_ body: (inout Session, MonotonicTime) -> Result) -> Result {
        defer { settle() }
        return body(&session, now)
    }

    // MARK: Sending

    /// Has ``step()`` say when to send something.
    mutating func plan(_ number: Int, after delay: Duration) {
        events.add(.sending(number), due: now.advanced(by: delay))
    }

    mutating func send(_ request: HTTPRequest, to origin: String?, as number: Int, timeout: Duration?) {
        flights[number] = Flight()
        if let timeout { events.add(.hangUp(number), due: now.advanced(by: timeout)) }
        guard let rate = session.played.route(request, at: origin).uploadRate, rate > 0 else {
            return arrive(request, origin, number)
        }
        let duration = Duration.microseconds(Int64(request.body.count) * 1_000_000 / Int64(rate))
        events.add(.arrival(number, request, origin: origin), due: now.advanced(by: duration))
    }

    private mutating func arrive(_ request: HTTPRequest, _ origin: String?, _ number: Int) {
        connections += 1
        let incoming = IncomingRequest(request, connection: connections, origin: origin)
        perform(session.step(.request(incoming), at: now), for: number)
    }

    private mutating func take(_ decision: Decision, for number: Int) {
        flights[number]?.ticket = nil
        flights[number]?.decision = decision
        switch decision.wait {
        case .none: depart(number, after: .zero)
        case .real(let delay): depart(number, after: delay)
        case .virtual: break
        }
    }

    private mutating func depart(_ number: Int, after delay: Duration) {
        guard let decision = flights[number]?.decision else { return }
        guard decision.fault != .never else {
            events.add(.hangUp(number), due: now.advanced(by: Self.timeout))
            return
        }
        let duration = delay + Self.transit + (decision.pacing?.duration(of: decision.response.body.count) ?? .zero)
        events.add(.departure(number), due: now.advanced(by: duration))
    }

    /// Sends on whoever waits no longer, at a gate or for the session's clock.
    private mutating func settle() { perform(session.takeEffects()) }

    /// - Parameter number: the request of the step that had the effects.
    private mutating func perform(_ effects: [Session.Effect], for number: Int? = nil) {
        for effect in effects {
            switch effect {
            case .decided(let decision): if let number { take(decision, for: number) }
            case .responseHeld(let decision): if let number { flights[number]?.decision = decision }
            case .requestHeld(let ticket): if let number { flights[number]?.ticket = ticket }
            case .opened(let opening): for passage in opening.released { send(passage) }
            case .released(let exchange):
                if let number = flight(where: { $0.decision?.exchange == exchange }) { depart(number, after: .zero) }
            case .sent, .process: break
            }
        }
    }

    private mutating func send(_ passage: ReleasedRequest) {
        switch passage {
        case .request(let ticket, let decision):
            if let number = flight(where: { $0.ticket == ticket }) { take(decision, for: number) }
        case .response(let exchange, let wait):
            guard let number = flight(where: { $0.decision?.exchange == exchange }) else { return }
            flights[number]?.decision?.wait = wait
            switch wait {
            case .none: depart(number, after: .zero)
            case .real(let left): depart(number, after: left)
            case .virtual: break
            }
        }
    }

    private func flight(where isMeant: (Flight) -> Bool) -> Int? {
        flights.first { isMeant($0.value) }?.key
    }

    // MARK: Time

    /// Lets the next thing happen; `nil` when nothing is going to.
    mutating func step() -> Event? {
        if let alarm = [session.nextGateTimeout, session.nextRelease(at: now)].compactMap({ $0 }).min(),
            events.next.map({ alarm < $0 }) ?? true
        {
            now = max(now, alarm)
            session.openQuietGates(at: now)
            session.catchUp(at: now)
            settle()
            return .other
        }
        if session.isWaitingForTime, events.next.map({ $0 > now.advanced(by: Self.quiet) }) ?? true {
            now = now.advanced(by: Self.quiet)
            session.jumpIfWaiting(at: now)
            settle()
            return .other
        }
        if let (due, happening) = events.take() {
            now = max(now, due)
            return happen(happening)
        }
        return waitForFrozenClock()
    }

    private mutating func happen(_ happening: Happening) -> Event {
        switch happening {
        case .sending(let number): return .due(number)
        case .arrival(let number, let request, let origin):
            if flights[number] != nil { arrive(request, origin, number) }
            return .other
        case .departure(let number): return end(number, hangsUp: false) ?? .other
        case .hangUp(let number): return end(number, hangsUp: true) ?? .other
        }
    }

    private mutating func end(_ number: Int, hangsUp: Bool) -> Event? {
        guard let flight = flights.removeValue(forKey: number) else { return nil }
        guard let decision = flight.decision else {
            if let ticket = flight.ticket { perform(session.step(.left(ticket: ticket), at: now)) }
            return .came(number, ReceivedResponse(content: .broken(.never), exchange: nil))
        }
        let content: ReceivedResponse.Content
        let outcome: ExchangeOutcome
        if hangsUp {
            (content, outcome) = (.broken(.never), .clientGone)
        } else if let fault = decision.fault {
            let isLost = session.journal.exchange(decision.exchange)?.fault == .lost
            (content, outcome) = (.broken(Breakage(fault, isCommitted: isLost)), .faulted)
        } else {
            (content, outcome) = (.response(decision.response), .sent)
        }
        session.end(decision.exchange, outcome, at: now)
        settle()
        return .came(number, ReceivedResponse(content: content, exchange: decision.exchange))
    }

    /// Puts a clock forward on which only commands move, where a response waits for it and nothing else is going to happen.
    private mutating func waitForFrozenClock() -> Event? {
        let moments = flights.values.compactMap { flight -> VirtualTime? in
            if case .virtual(let due) = flight.decision?.wait { due } else { nil }
        }
        guard let next = moments.min() else { return nil }
        session.advance(by: max(.zero, next - session.time(at: now)), at: now)
        settle()
        return .other
    }
}

extension Pacing {
    /// How long so many bytes take.
    fileprivate func duration(of bytes: Int) -> Duration {
        switch self {
        case .dribble(_, let over): over
        case .bandwidth(let rate): .microseconds(Int64(bytes) * 1_000_000 / Int64(max(1, rate)))
        }
    }
}
