import HTTPCodec
import HTTPServing
import Simulation

extension OutgoingResponse {
    /// The decision of a session as the server sends it.
    init(_ decision: Decision, exchange: UInt64) {
        var delivery = Delivery()
        if case .real(let delay) = decision.wait { delivery.delay = delay }
        delivery.delay += decision.hold
        // A client that has not had the processor may have more to send that knows nothing of this.
        if decision.hold > .zero { delivery.extraHold = QuietTime.longestSlack }
        (delivery.pacing, delivery.fault) = (decision.pacing, decision.fault)
        self.init(decision.message, delivery: delivery, exchange: exchange)
        if decision.isCompressed { response.body = Gzip.stored(response.body) }
        sharesBody = !decision.isCompressed && decision.script?.sharesBody == true
        isStream = decision.isStream
        upgrades = decision.isStream && decision.webSocket != nil
    }
}
