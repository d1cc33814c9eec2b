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

    init(of gate: GateState, _ cause: GateStatistics.Cause, at time: VirtualTime, _ released: [ReleasedRequest]) {
        (self.gate, self.cause) = (gate.gate.name, cause)
        (wanted, waitsFor) = (gate.statistics.wanted, gate.statistics.waitsFor)
        (quiet, self.time, self.released) = (gate.gate.quiet, time, released)
    }

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
