package import Basics
package import HTTPCodec
package import ScenarioFormat

/// One request and what was answered, as the journal keeps it.
package struct Exchange: Sendable {
    /// How an exchange ended on the wire.
    package enum Outcome: String, Sendable {
        case open
        case sent
        case clientGone
        case faulted
    }

    /// Counts from one in each session.
    package var number: UInt64
    /// When the request had arrived, on the session's clock.
    package var time: VirtualTime
    /// When it had arrived, on the machine's clock.
    package var arrival: RealTime
    /// How much earlier it may have come than the server noticed, because the server was busy.
    package var lag = Duration.zero
    package var end: RealTime?
    package var outcome = Outcome.open
    package var connection: UInt64
    /// The launch of the client in which it came.
    package var launch = 1
    /// The other server that was asked; `nil` for the backend itself.
    package var origin: String?
    /// The gate that held it.
    package var hold: GateHold?

    package var request: HTTPRequest
    /// The key of the route that matched.
    package var route: String?
    /// The case or guard that answered.
    package var answeredBy: String?
    package var nearest: NearestRoute?
    package var response: HTTPResponse
    package var fault: Fault.Kind?
    /// Whether grants and changes took place.
    package var isCommitted: Bool
    /// How long the response was held back on purpose.
    package var wait: Duration
    /// How long it was held after that in real time, so that what was sent before it was known came first.
    package var refusalHold = Duration.zero
    package var device: String?
    package var account: String?
    package var offered: [OfferedToken]
    /// The tokens handed out: kind, id (`nil` for null) and where each came from.
    package var granted: [GrantedToken]
    package var stateChanges: [Event.StateChange]
    package var findings: [Finding]
    /// What the contract does not allow in the request and the response.
    package var violations: [Violation] = []
    /// Why the response breaks the contract on purpose.
    package var breaks: String?
    /// Whether the response's body lies in the scenario anyway, so that keeping it costs nothing.
    var sharesBody = false
}

/// How long an exchange was held at a gate.
package struct GateHold: Sendable, Hashable {
    package var gate: String
    /// Real time.
    package var duration: Duration

    package init(gate: String, duration: Duration) {
        self.gate = gate
        self.duration = duration
    }
}

/// A token that a response handed out.
package struct GrantedToken: Sendable, Hashable {
    package var kind: String
    /// `nil` where null was handed out.
    package var id: String?
    package var source: Grant.Source
}

extension Exchange {
    /// The earliest moment at which the request can have been sent, as far as the server knows.
    package var begin: RealTime { arrival.shifted(by: .zero - lag) }

    /// What the allocations of an exchange cost beside their contents, measured over many small ones.
    private static let overhead = 900

    /// About how many bytes the exchange keeps alive.
    var weight: Int {
        Self.overhead + MemoryLayout<Exchange>.size + request.target.utf8.count + request.fields.wireSize
            + request.body.count + response.fields.wireSize + (sharesBody ? 0 : response.body.count)
            + violations.count * MemoryLayout<Violation>.size
    }
}
