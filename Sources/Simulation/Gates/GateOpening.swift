import Basics
import HTTPCodec
import JSON
package import ScenarioFormat

/// A gate that has let its requests go, for the caller to send their responses and to log it.
package struct GateOpening: Sendable {
    package var gate: String
    package var cause: GateStatistics.Cause
    /// The number of requests it waited for; `nil` for another condition.
    package var wanted: Int?
    /// The condition that it waited for, as a part of a sentence: `3 requests in flight`.
    package var waitsFor: String
    /// The time after which it opens in any case.
    package var quiet: Duration
    /// When it opened, on the session's clock.
    package var time: VirtualTime
    /// Everybody who goes on, in this order.
    package var released: [ReleasedRequest]

    /// The event, as the text after the gate's name: `opened: 3 requests in flight`.
    package var sentence: String {
        let count = released.count
        let requests = count == 1 ? "1 request" : "\(count) requests"
        switch cause {
        case .reached where wanted == nil: return "opened for \(requests) that waited for \(waitsFor)"
        case .reached: return "opened: \(requests) in flight"
        case .released: return "released \(requests)"
        case .quiet:
            let number = wanted.map { "\(count) of \($0) requests" } ?? "\(requests) that waited for \(waitsFor)"
            return "opened after \(JSONNumber.milliseconds(quiet).text) ms without a request, with \(number)"
        }
    }
}

/// A request that continues through an open gate.
package enum ReleasedRequest: Sendable {
    /// A response that was decided when its request arrived, and the rest of its own wait.
    ///
    /// One that waits on the virtual clock is named again by ``Session/Effect/released(exchange:)``.
    case response(exchange: UInt64, wait: Decision.Wait)
    /// A request that is decided only now; the number is its ticket.
    case request(ticket: UInt64, Decision)

    /// The exchange's number in the journal.
    package var exchange: UInt64 {
        switch self {
        case .response(let exchange, _): exchange
        case .request(_, let decision): decision.exchange
        }
    }
}

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

/// A request that is held at a gate.
struct GatedRequest: Sendable {
    /// The requests that are released when the gate opens.
    enum Phase: Sendable {
        /// The response of an exchange, with its additional wait.
        case decided(exchange: UInt64, Wait)
        /// The request itself.
        case undecided(IncomingRequest)
    }

    /// A response's own latency.
    enum Wait: Sendable {
        case none
        case real(Duration)
        case virtual(Duration)
    }

    /// Counts the requests at the session's gates.
    var ticket: UInt64
    var request: HTTPRequest
    var arrival: MonotonicTime
    var phase: Phase

    /// The exchange's number, where it has one already.
    var exchange: UInt64? {
        if case .decided(let exchange, _) = phase { exchange } else { nil }
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
