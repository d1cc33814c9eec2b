import HTTPCodec
import JSON
import ScenarioFormat

/// The gates of a session, in the order of the file, and who stands at which.
struct GateSet: Sendable {
    private(set) var posts: [GateState]
    /// The gates at which those with tickets stand.
    private var places: [UInt64: Int] = [:]
    /// The tickets of exchanges that are decided already.
    private var tickets: [UInt64: UInt64] = [:]
    private var lastTicket: UInt64 = 0
    /// Whether any gate still holds whoever comes; the only thing that a session without gates ever asks.
    private(set) var isClosed: Bool
    private var isRetired = false

    init(_ gates: [Gate], _ script: CompiledRoutes) {
        posts = gates.map { GateState($0, script) }
        isClosed = posts.contains(where: \.isClosed)
    }

    var isHolding: Bool { !places.isEmpty }

    /// When the first gate opens by itself.
    var timeout: RealTime? { isHolding ? posts.lazy.compactMap(\.timeout).min() : nil }

    /// The gate that opens by itself first, if that is so by a moment.
    func firstQuiet(by now: RealTime) -> Int? {
        guard isHolding, let timeout, timeout <= now else { return nil }
        return posts.firstIndex { $0.timeout == timeout }
    }

    func post(holding ticket: UInt64) -> Int? { places[ticket] }

    /// Lets somebody stand at a gate, and returns the ticket.
    mutating func hold(
        _ request: HTTPRequest,
        _ stage: HeldRequest.Stage,
        at post: Int,
        _ arrival: RealTime,
        _ time: VirtualTime
    ) -> UInt64 {
        lastTicket += 1
        let held = HeldRequest(ticket: lastTicket, request: request, arrival: arrival, stage: stage)
        posts[post].add(held, at: time)
        places[lastTicket] = post
        if let exchange = held.exchange { tickets[exchange] = lastTicket }
        return lastTicket
    }

    /// Notes that a response is held until a moment.
    mutating func noteHold(until moment: RealTime) {
        for post in posts.indices { posts[post].heldUntil = max(posts[post].heldUntil, moment) }
    }

    /// Takes somebody away whose client has left.
    mutating func withdraw(_ ticket: UInt64) -> (held: HeldRequest, gate: String)? {
        guard let post = places.removeValue(forKey: ticket), let held = posts[post].remove(ticket) else { return nil }
        if let exchange = held.exchange { tickets[exchange] = nil }
        return (held, posts[post].gate.name)
    }

    /// The same for an exchange.
    mutating func withdraw(exchange: UInt64) -> (held: HeldRequest, gate: String)? {
        tickets[exchange].flatMap { withdraw($0) }
    }

    /// Takes everybody from a gate, in the order of their arrival.
    mutating func empty(_ post: Int) -> [HeldRequest] {
        let row = posts[post].row
        posts[post].removeAll()
        for held in row {
            places[held.ticket] = nil
            if let exchange = held.exchange { tickets[exchange] = nil }
        }
        return row
    }

    mutating func note(_ opening: GateStatistics.Opening, of post: Int) {
        posts[post].account.openings.append(opening)
        isClosed = !isRetired && posts.contains(where: \.isClosed)
    }

    /// Holds nobody from now on.
    mutating func retire() {
        isRetired = true
        isClosed = false
    }

    /// Goes on with the gates of another version of the scenario; those that vanish must hold nobody.
    mutating func replace(_ gates: [Gate], _ script: CompiledRoutes) {
        let old = posts
        posts = gates.map { gate in
            var post = GateState(gate, script)
            if let same = old.first(where: { $0.gate.name.hasSameUTF8(as: gate.name) }) { post.takeOver(from: same) }
            return post
        }
        for (number, post) in posts.enumerated() {
            for ticket in post.held.keys { places[ticket] = number }
        }
        isClosed = !isRetired && posts.contains(where: \.isClosed)
    }
}
