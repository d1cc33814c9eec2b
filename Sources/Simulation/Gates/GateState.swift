import HTTPCodec
import JSON
import ScenarioFormat

/// One gate of a session, with everybody who stands at it.
struct GateState: Sendable {
    var gate: Gate
    var account: GateStatistics
    /// The numbers of the routes that it holds in the session's script; `nil` for every route.
    var routes: Set<Int>?
    /// By ticket.
    private(set) var held: [UInt64: HeldRequest] = [:]
    /// When the last one came, on the machine's clock and on the session's.
    private(set) var lastArrival = RealTime(nanoseconds: 0)
    private(set) var lastTime = VirtualTime(seconds: 0)
    /// Until when responses are held on purpose: a client that waits for one is not quiet.
    var heldUntil = RealTime(nanoseconds: 0)

    init(_ gate: Gate, _ script: CompiledRoutes) {
        self.gate = gate
        account = GateStatistics(gate)
        routes = gate.routes.isEmpty ? nil : Set(gate.routes.compactMap(script.number(ofRoute:)))
    }

    /// Whether it still holds whoever comes.
    var isClosed: Bool { account.openings.count < gate.times }

    /// When it opens by itself; `nil` while it holds nobody.
    var timeout: RealTime? { held.isEmpty ? nil : max(lastArrival, heldUntil).shifted(by: gate.quiet) }

    /// Whether so many are held as it waits for.
    var isGathered: Bool {
        if case .inFlight(let count) = gate.opening { held.count >= count } else { false }
    }

    /// Whether it waits for such an answer.
    func waits(forAnswerOf route: String, _ status: Int) -> Bool {
        guard !held.isEmpty, case .answered(let awaited, let statuses) = gate.opening else { return false }
        return awaited.hasSameUTF8(as: route) && (statuses.isEmpty || statuses.contains(status))
    }

    /// Whether it holds requests of a route, as far as the route decides; `nil` for what only the contract knows.
    func holds(_ route: CompiledRoute?, number: Int?) -> Bool {
        if let routes { return number.map(routes.contains) ?? false }
        // A gate for all routes that held the one whose answer it waits for would wait for itself.
        if let route, case .answered(let awaited, _) = gate.opening { return !awaited.hasSameUTF8(as: route.key) }
        return true
    }

    /// The account with whom it holds now.
    var presentAccount: GateStatistics {
        var account = account
        account.holding = held.count
        return account
    }

    mutating func add(_ request: HeldRequest, at time: VirtualTime) {
        held[request.ticket] = request
        lastArrival = max(lastArrival, request.arrival)
        lastTime = time
    }

    mutating func remove(_ ticket: UInt64) -> HeldRequest? {
        held.removeValue(forKey: ticket)
    }

    /// Those that it holds, in the order of their arrival.
    var row: [HeldRequest] {
        held.values.sorted { $0.ticket < $1.ticket }
    }

    mutating func removeAll() {
        held = [:]
    }

    /// Keeps whom another version of the gate held, and what it has done.
    mutating func takeOver(from old: GateState) {
        account.openings = old.account.openings
        (held, lastArrival, lastTime) = (old.held, old.lastArrival, old.lastTime)
    }
}
