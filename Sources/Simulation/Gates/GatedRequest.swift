import Basics
import HTTPCodec
import ScenarioFormat

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
