import Basics
import HTTPCodec
import ScenarioFormat

/// One gate of a session, with its held requests.
struct GateState: Sendable {
    var gate: Gate
    var statistics: GateStatistics
    /// The numbers of the routes that it holds in the session's script; `nil` for every route.
    var routes: Set<Int>?
    /// By ticket.
    private(set) var held: [UInt64: GatedRequest] = [:]
    /// When the last one came, on the machine's clock and on the session's.
    private(set) var lastArrival = MonotonicTime(nanoseconds: 0)
    private(set) var lastTime = VirtualTime(seconds: 0)
    /// Until when responses are held on purpose: a client that waits for one is not quiet.
    var heldUntil = MonotonicTime(nanoseconds: 0)

    init(_ gate: Gate, _ script: CompiledRoutes) {
        self.gate = gate
        statistics = GateStatistics(gate)
        routes = gate.routes.isEmpty ? nil : Set(gate.routes.compactMap(script.number(ofRoute:)))
    }

    /// A Boolean value that indicates whether it still holds the requests that come.
    var isClosed: Bool { statistics.openings.count < gate.times }

    /// The time at which it opens in any case; `nil` while it holds no request.
    var timeout: MonotonicTime? { held.isEmpty ? nil : max(lastArrival, heldUntil).advanced(by: gate.quiet) }

    /// A Boolean value that indicates whether so many are held as it waits for.
    var isGathered: Bool {
        if case .inFlight(let count) = gate.opening { held.count >= count } else { false }
    }

    /// Returns whether it waits for such a response.
    func waits(forAnswerOf route: String, _ status: Int) -> Bool {
        guard !held.isEmpty, case .answered(let awaited, let statuses) = gate.opening else { return false }
        return awaited.exact == route.exact && (statuses.isEmpty || statuses.contains(status))
    }

    /// Returns whether it holds requests of a route, as far as the route decides; `nil` for what only the contract
    /// knows.
    func holds(_ route: CompiledRoute?, number: Int?) -> Bool {
        if let routes { return number.map(routes.contains) ?? false }
        // A gate for all routes that held the one whose response it waits for would wait for itself.
        if let route, case .answered(let awaited, _) = gate.opening { return awaited.exact != route.key.exact }
        return true
    }

    /// The statistics with the number of currently held requests.
    var currentStatistics: GateStatistics {
        var statistics = statistics
        statistics.holding = held.count
        return statistics
    }

    /// The rest of a response's wait, which counts from the last arrival and not from its own: they were in flight
    /// together, and responses that wait equally long leave in the order that was chosen.
    func rest(of wait: GatedRequest.Wait, _ now: MonotonicTime, _ time: VirtualTime) -> Decision.Wait {
        switch wait {
        case .none: return .none
        case .real(let delay):
            let left = delay - now.since(lastArrival)
            return left > .zero ? .real(left) : .none
        case .virtual(let delay):
            let due = lastTime + delay
            return due > time ? .virtual(until: due) : .none
        }
    }

    mutating func add(_ request: GatedRequest, at time: VirtualTime) {
        held[request.ticket] = request
        lastArrival = max(lastArrival, request.arrival)
        lastTime = time
    }

    mutating func remove(_ ticket: UInt64) -> GatedRequest? {
        held.removeValue(forKey: ticket)
    }

    /// Those that it holds, in the order of their arrival.
    var row: [GatedRequest] {
        held.values.sorted { $0.ticket < $1.ticket }
    }

    mutating func removeAll() {
        held = [:]
    }

    /// Keeps whom another version of the gate held, and what it has done.
    mutating func takeOver(from old: GateState) {
        statistics.openings = old.statistics.openings
        (held, lastArrival, lastTime) = (old.held, old.lastArrival, old.lastTime)
    }
}
