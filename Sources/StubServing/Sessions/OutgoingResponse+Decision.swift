import HTTPServing
import ScenarioFormat
import Simulation

extension OutgoingResponse {
    /// The decision of a session as the server sends it.
    init(_ decision: Decision, exchange: UInt64) {
        var delivery = Delivery()
        if case .real(let delay) = decision.wait { delivery.delay = delay }
        delivery.delay += decision.hold
        // A client that has not had the processor may have more to send that knows nothing of this.
        if decision.hold > .zero { delivery.extraHold = QuietTime.longestSlack }
        delivery.pacing = decision.pacing.map { pacing in
            switch pacing {
            case .dribble(let chunks, let over): .dribble(chunks: chunks, over: over)
            case .bandwidth(let rate): .bandwidth(bytesPerSecond: rate)
            }
        }
        delivery.fault = decision.fault.map { fault in
            switch fault {
            case .reset: .reset
            case .empty: .empty
            case .truncated(let bodyBytes): .truncatedBody(sent: bodyBytes)
            case .malformedChunk: .malformedChunk
            case .garbage(let bytes): .garbage(bytes)
            case .never: .never
            }
        }
        self.init(decision.response, delivery: delivery, exchange: exchange)
    }
}
