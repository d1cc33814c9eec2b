import HTTPCodec
import ScenarioFormat

/// A request that stands at a gate.
struct HeldRequest: Sendable {
    /// What goes on when the gate opens.
    enum Stage: Sendable {
        /// The response of an exchange, with the wait that it has besides.
        case decided(exchange: UInt64, Wait)
        /// The request itself.
        case undecided(connection: UInt64, ContractEvaluation?)
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
    var arrival: RealTime
    var stage: Stage

    /// The exchange's number, where it has one already.
    var exchange: UInt64? {
        if case .decided(let exchange, _) = stage { exchange } else { nil }
    }
}
