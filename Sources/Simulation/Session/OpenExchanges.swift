package import Basics
package import HTTPCodec
import ScenarioFormat

/// The exchanges of a session whose responses have not been sent yet.
struct OpenExchanges: Sendable {
    private struct Entry {
        var route: String?
        var isParked: Bool
        var isHeld = false
    }

    private var entries: [UInt64: Entry] = [:]
    /// The number of each route, so that a search does not visit thousands of slow ones.
    private var counts: [String: Int] = [:]
    /// The number of waits on the virtual clock.
    private(set) var parkedCount = 0

    /// The number of held ones; for conditions they count as answered.
    private var heldCount = 0

    var count: Int { entries.count - heldCount }

    /// The number of all, including held ones.
    var total: Int { entries.count }

    /// The exchanges' numbers in their order.
    var numbers: [UInt64] { entries.keys.sorted() }

    /// A Boolean value that indicates whether there are any and all of them wait on the virtual clock.
    var isWaitingForTime: Bool { parkedCount > 0 && parkedCount == entries.count }

    func count(of route: String) -> Int {
        counts[route] ?? 0
    }

    mutating func add(_ exchange: UInt64, route: String?, isParked: Bool) {
        entries[exchange] = Entry(route: route, isParked: isParked)
        if isParked { parkedCount += 1 }
        if let route { counts[route, default: 0] += 1 }
    }

    /// Adds an exchange whose response would leave at once, were it not held.
    mutating func addHeld(_ exchange: UInt64) {
        entries[exchange] = Entry(route: nil, isParked: false, isHeld: true)
        heldCount += 1
    }

    /// Notes that an exchange waits on the virtual clock from now on.
    mutating func park(_ exchange: UInt64) {
        guard entries[exchange]?.isParked == false else { return }
        entries[exchange]?.isParked = true
        parkedCount += 1
    }

    /// Notes that an exchange's wait on the virtual clock is over.
    mutating func release(_ exchange: UInt64) {
        guard entries[exchange]?.isParked == true else { return }
        entries[exchange]?.isParked = false
        parkedCount -= 1
    }

    /// Takes an exchange out, and tells whether it was still waiting on the virtual clock.
    mutating func remove(_ exchange: UInt64) -> Bool {
        guard let entry = entries.removeValue(forKey: exchange) else { return false }
        if entry.isParked { parkedCount -= 1 }
        if entry.isHeld { heldCount -= 1 }
        if let route = entry.route {
            let left = counts[route, default: 1] - 1
            counts[route] = left > 0 ? left : nil
        }
        return entry.isParked
    }
}

/// Keeping an exchange until its response has been sent.
extension Session {
    /// Remembers an exchange whose response takes time, for as long as it takes.
    ///
    /// One that is answered at once was never in flight: its client may ask again before the server has noticed that
    /// the response has left.
    mutating func park(_ decision: Decision, in context: borrowing ExchangeContext) {
        var isParked = false
        if let gate = context.gate {
            gates.hold(decision.wait, at: gate, in: context)
            // In flight until it has left.
            return backend.open.add(context.number, route: context.route?.id, isParked: false)
        }
        switch decision.wait {
        case .none:
            if decision.hold > .zero { gates.noteHold(until: context.arrival.advanced(by: decision.hold)) }
            guard
                decision.pacing != nil || decision.fault == .never || decision.isStream || decision.forwarding != nil
            else {
                if decision.hold > .zero { backend.open.addHeld(context.number) }
                return
            }
        case .real:
            if decision.hold > .zero {
                gates.noteHold(until: context.arrival.advanced(by: context.delay + decision.hold))
            }
        case .virtual(let due):
            agenda.add(.response(exchange: context.number), due: due)
            isParked = true
        }
        if decision.isStream, let stream = context.stream {
            streams.open(stream, in: context, &agenda, backend.ledger)
            // A stream without a piece to come waits for nothing; see OpenStreams.sendNext.
            let isAwaited = context.route.map { agenda.hasPush(to: $0.key) } ?? false
            if stream.pieces.isEmpty, !isAwaited, !isParked { return }
            isParked = true
        }
        backend.open.add(context.number, route: context.route?.id, isParked: isParked)
    }

    /// A Boolean value that indicates whether the end of an exchange may let something happen: at a gate, or on a clock
    /// that waits for quiet.
    package var waitsForEnds: Bool { clock.mode == .automatic || !gates.states.isEmpty }

    /// Notes how an exchange ended on the wire.
    package mutating func end(_ exchange: UInt64, _ outcome: ExchangeOutcome, at now: MonotonicTime) {
        if streams.remove(exchange) {
            _ = backend.open.remove(exchange)
        } else if backend.open.remove(exchange) {
            agenda.removeResponse(exchange)
        }
        journal.noteEnd(of: exchange, outcome, at: now)
        if upstream.end(exchange, mayBeUsed: outcome != .sent, backend.ledger) != nil, outcome != .sent {
            journal.noteMissingResponse(to: exchange, outcome)
        }
        if gates.isHolding { noteAtGates(endOf: exchange, outcome, at: now) }
    }
}
