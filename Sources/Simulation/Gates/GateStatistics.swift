import Basics
import JSON
import ScenarioFormat

/// The held requests of a gate, for a verdict about whether its race took place.
package struct GateStatistics: Sendable, Hashable {
    /// The reason why a gate released its requests.
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        /// Its condition was met.
        case reached
        /// Nothing more came for as long as it waits.
        case quiet
        /// A call of the admin API.
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
    /// The number of requests it waits for; `nil` for another condition.
    package var wanted: Int?
    /// The condition that it waits for, as a part of a sentence: `3 requests in flight`.
    package var waitsFor: String
    package var openings: [Opening] = []
    /// The number of currently held requests.
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

    /// A Boolean value that indicates whether what it waited for has happened at least once.
    package var isReached: Bool { openings.contains { $0.cause != .quiet } }
}

extension GateStatistics {
    /// The statistics of a gate that has held no request yet.
    init(_ gate: Gate) {
        var wanted: Int?
        if case .inFlight(let count) = gate.opening { wanted = count }
        self.init(gate: gate.name, wanted: wanted, waitsFor: gate.opening.text)
    }
}

extension GateStatistics: RecordedObject {
    package init() { self.init(gate: "", wanted: nil, waitsFor: "") }

    package mutating func list(in form: inout RecordedForm) {
        form.member("gate", &gate)
        form.member("wanted", &wanted)
        form.member("waitsFor", &waitsFor)
        form.member("holding", &holding, unless: 0)
        form.member("openings", &openings, or: [])
    }
}

extension GateStatistics.Opening: RecordedObject {
    package init() { self.init(cause: .reached, exchanges: []) }

    package mutating func list(in form: inout RecordedForm) {
        form.member("cause", &cause)
        form.member("exchanges", &exchanges, or: [])
    }
}

extension GateStatistics.Cause: Recorded {}

extension Gate.Opening {
    /// The condition that releases the requests, as the text after "waits for".
    fileprivate var text: String {
        switch self {
        case .inFlight(1): return "1 request in flight"
        case .inFlight(let count): return "\(count) requests in flight"
        case .answered(let route, let statuses):
            guard let last = statuses.last else { return "\(route) to be answered" }
            let others = statuses.dropLast().map(String.init).joined(separator: ", ")
            return "\(route) to be answered with \(others.isEmpty ? "" : "\(others) or ")\(last)"
        case .released: return "its release by the admin API"
        }
    }
}
