import ScenarioFormat

/// What a gate has held, for a verdict that has to say whether its race took place.
package struct GateStatistics: Sendable, Hashable {
    /// Why a gate let its requests go.
    package enum Cause: String, Sendable, Hashable {
        /// What it waited for has happened.
        case reached
        /// Nothing more came for as long as it waits.
        case quiet
        /// Somebody said so through the admin API.
        case released
    }

    /// One opening of the gate.
    package struct Opening: Sendable, Hashable {
        package var cause: Cause
        /// The exchanges that it had held, in the order in which they went on.
        package var exchanges: [UInt64]

        package init(cause: Cause, exchanges: [UInt64]) {
            self.cause = cause
            self.exchanges = exchanges
        }
    }

    package var gate: String
    /// How many it waits for; `nil` where it waits for something else.
    package var wanted: Int?
    /// What it waits for, as a part of a sentence: `3 requests in flight`.
    package var waitsFor: String
    package var openings: [Opening] = []
    /// How many it holds at this moment.
    package var holding = 0

    package init(gate: String, wanted: Int?, waitsFor: String, openings: [Opening] = [], holding: Int = 0) {
        self.gate = gate
        self.wanted = wanted
        self.waitsFor = waitsFor
        self.openings = openings
        self.holding = holding
    }

    /// The most that it has held at once.
    package var mostHeld: Int { max(holding, openings.lazy.map(\.exchanges.count).max() ?? 0) }

    /// Whether what it waited for has happened at least once.
    package var isReached: Bool { openings.contains { $0.cause != .quiet } }
}

extension GateStatistics {
    /// The account of a gate that has held nobody yet.
    init(_ gate: Gate) {
        var wanted: Int?
        if case .inFlight(let count) = gate.opening { wanted = count }
        self.init(gate: gate.name, wanted: wanted, waitsFor: gate.opening.text)
    }
}

extension Gate.Opening {
    /// What lets the requests go, as what follows "waits for".
    fileprivate var text: String {
        switch self {
        case .inFlight(1): return "1 request in flight"
        case .inFlight(let count): return "\(count) requests in flight"
        case .answered(let route, let statuses):
            guard let last = statuses.last else { return "\(route) to be answered" }
            let others = statuses.dropLast().map(String.init).joined(separator: ", ")
            return "\(route) to be answered \(others.isEmpty ? "" : "\(others) or ")\(last)"
        case .released: return "its release by the admin API"
        }
    }
}
