import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The gates of a session, in the order of the file, with their held requests.
struct GateSet: Sendable {
    private(set) var states: [GateState]
    /// The indices of gates by the tickets of the requests that they hold.
    private var places: [UInt64: Int] = [:]
    /// The tickets of exchanges that are decided already.
    private var tickets: [UInt64: UInt64] = [:]
    private var lastTicket: UInt64 = 0
    /// A Boolean value that indicates whether any gate still holds the requests that come; the only thing that a
    /// session without gates ever asks.
    private(set) var isClosed: Bool
    private var isRetired = false

    init(_ gates: [Gate], _ script: CompiledRoutes) {
        states = gates.map { GateState($0, script) }
        isClosed = states.contains(where: \.isClosed)
    }

    var isHolding: Bool { !places.isEmpty }

    /// The tickets of the requests that gates hold, in the order of their arrival.
    var openTickets: [UInt64] { places.keys.sorted() }

    /// The time at which the first gate opens by itself.
    var timeout: MonotonicTime? { isHolding ? states.lazy.compactMap(\.timeout).min() : nil }

    /// The gate that opens by itself first, if that is so by a moment.
    func firstQuiet(by now: MonotonicTime) -> Int? {
        guard isHolding, let timeout, timeout <= now else { return nil }
        return states.firstIndex { $0.timeout == timeout }
    }

    /// The first gate in the order of the file that requires a request.
    func index(
        stopping incoming: IncomingRequest,
        after exchange: UInt64,
        at time: VirtualTime,
        _ now: MonotonicTime,
        _ backend: inout MockBackend
    ) -> Int? {
        var context = ExchangeContext(
            number: exchange,
            now: time,
            arrival: now,
            connection: incoming.connection,
            request: RequestView(incoming.request),
            chance: Chance(seed: backend.seed, stream: exchange)
        )
        var number: Int?
        let server = backend.played.script.backend
        if case .route(let index, let parameters) = server.tree.match(incoming.request) {
            number = index
            context.route = server.routes[index]
            context.request.parameters = parameters
        } else if incoming.consultation?.evaluation.fill == nil {
            return nil
        }
        var hasNotedTokens = false
        for index in states.indices where states[index].isClosed {
            guard states[index].holds(context.route, number: number) else { continue }
            guard let condition = states[index].gate.condition else { return index }
            if !hasNotedTokens { backend.noteTokens(in: &context) }
            hasNotedTokens = true
            if backend.holds(condition, in: &context) { return index }
        }
        return nil
    }

    /// Lets a request wait at a gate, and returns the ticket.
    mutating func hold(
        _ request: HTTPRequest,
        _ phase: GatedRequest.Phase,
        at index: Int,
        _ arrival: MonotonicTime,
        _ time: VirtualTime
    ) -> UInt64 {
        lastTicket += 1
        let held = GatedRequest(ticket: lastTicket, request: request, arrival: arrival, phase: phase)
        states[index].add(held, at: time)
        places[lastTicket] = index
        if let exchange = held.exchange { tickets[exchange] = lastTicket }
        return lastTicket
    }

    /// Lets the response of an exchange wait at a gate.
    mutating func hold(_ wait: Decision.Wait, at index: Int, in context: borrowing ExchangeContext) {
        let wait: GatedRequest.Wait =
            switch wait {
            case .none: .none
            case .real(let delay): .real(delay)
            case .virtual: .virtual(context.delay)
            }
        let phase = GatedRequest.Phase.decided(exchange: context.number, wait)
        _ = hold(context.request.request, phase, at: index, context.arrival, context.now)
    }

    /// Notes that a response is held until a moment.
    mutating func noteHold(until moment: MonotonicTime) {
        for index in states.indices { states[index].heldUntil = max(states[index].heldUntil, moment) }
    }

    /// Takes a request away whose client has left.
    @discardableResult
    mutating func withdraw(_ ticket: UInt64) -> (held: GatedRequest, gate: String)? {
        guard let index = places.removeValue(forKey: ticket), let held = states[index].remove(ticket) else {
            return nil
        }
        if let exchange = held.exchange { tickets[exchange] = nil }
        return (held, states[index].gate.name)
    }

    /// The same for an exchange.
    mutating func withdraw(exchange: UInt64) -> (held: GatedRequest, gate: String)? {
        tickets[exchange].flatMap { withdraw($0) }
    }

    /// Takes all requests from a gate, in the order in which they go on.
    ///
    /// - Returns: the gate as it was, and the requests.
    mutating func open(_ index: Int, seed: UInt64) -> (gate: GateState, row: [GatedRequest]) {
        let state = states[index]
        let chance = Chance(seed: seed, gate: index, opening: state.statistics.openings.count)
        states[index].removeAll()
        for held in state.held.values {
            places[held.ticket] = nil
            if let exchange = held.exchange { tickets[exchange] = nil }
        }
        return (state, state.gate.order.arrange(state.row, chance))
    }

    mutating func note(_ opening: GateStatistics.Opening, of index: Int) {
        states[index].statistics.openings.append(opening)
        isClosed = !isRetired && states.contains(where: \.isClosed)
    }

    /// Holds no request from now on.
    mutating func retire() {
        isRetired = true
        isClosed = false
    }

    /// Continues with the gates of another version of the scenario; removed ones must not hold a request.
    mutating func replace(_ gates: [Gate], _ script: CompiledRoutes) {
        let old = states
        states = gates.map { gate in
            var state = GateState(gate, script)
            if let same = old.first(where: { $0.gate.name.exact == gate.name.exact }) { state.takeOver(from: same) }
            return state
        }
        for (index, state) in states.enumerated() {
            for ticket in state.held.keys { places[ticket] = index }
        }
        isClosed = !isRetired && states.contains(where: \.isClosed)
    }
}

extension Gate.Order {
    /// Puts requests into the order in which they go on.
    ///
    /// - Parameters:
    ///   - held: the requests in the order of their arrival.
    ///   - chance: the stream of this opening.
    func arrange(_ held: [GatedRequest], _ chance: Chance) -> [GatedRequest] {
        switch self {
        case .arrival: return held
        case .reversed: return held.reversed()
        case .seeded:
            // Which of several requests came first is luck, so the same requests are drawn from the same row.
            var row = held.sorted { $0.comes(before: $1) }
            var chance = chance
            for place in row.indices.dropFirst().reversed() {
                row.swapAt(place, chance.integer(in: 0...place))
            }
            return row
        }
    }
}

extension Chance {
    /// The stream that an opening of a gate draws from; exchanges never come to such numbers.
    init(seed: UInt64, gate: Int, opening: Int) {
        self.init(
            seed: seed,
            stream: 0x4741_5445 << 32 | UInt64(truncatingIfNeeded: gate) << 20 | UInt64(truncatingIfNeeded: opening)
        )
    }
}

extension GatedRequest {
    /// An order that depends on the requests, and on their arrival only where they are the same.
    fileprivate func comes(before other: GatedRequest) -> Bool {
        if request.method.rawValue.exact != other.request.method.rawValue.exact {
            return request.method.rawValue.utf8.lexicographicallyPrecedes(other.request.method.rawValue.utf8)
        }
        if request.target.exact != other.request.target.exact {
            return request.target.utf8.lexicographicallyPrecedes(other.request.target.utf8)
        }
        if request.body != other.request.body {
            return request.body.lexicographicallyPrecedes(other.request.body)
        }
        let (own, theirs) = (request.fields.bytes(of: "Authorization"), other.request.fields.bytes(of: "Authorization"))
        if own != theirs { return (own ?? []).lexicographicallyPrecedes(theirs ?? []) }
        return ticket < other.ticket
    }
}
