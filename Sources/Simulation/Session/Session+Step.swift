package import Basics
package import HTTPCodec
package import ScenarioFormat

/// The way into a session: an input and a moment lead to effects.
///
/// A command of the admin API changes the session through its other methods, and takes the effects after them.
extension Session {
    package enum Input: Sendable {
        /// A complete request.
        case request(IncomingRequest)
        /// An exchange ended on the wire.
        case ended(exchange: UInt64, ExchangeOutcome)
        /// The client of an undecided request left its gate.
        case left(ticket: UInt64)
        /// Only time has passed.
        case time
    }

    /// A consequence of an input, which the caller performs in order.
    package enum Effect: Sendable {
        /// The request of the step is decided. Its response leaves as the decision says.
        case decided(Decision)
        /// The request of the step is decided, and a gate holds its response until ``opened(_:)``.
        case responseHeld(Decision)
        /// A gate holds the request of the step, which is decided when the gate opens.
        case requestHeld(ticket: UInt64)
        case opened(GateOpening)
        /// The wait of a response on the virtual clock is over.
        case released(exchange: UInt64)
        /// A part of a stream is due.
        case sent(StreamOutput)
        /// The story acts on a process of the client.
        case process(ProcessAction)
    }

    /// Changes the session by an input, and returns the effects; the effect on the input's own request is first.
    package mutating func step(_ input: consuming Input, at now: MonotonicTime) -> [Effect] {
        switch consume input {
        case .request(let request):
            let own = mayBeHeld(request) ? arrive(request, at: now) : .decided(decide(request, at: now))
            return effects.isEmpty ? [own] : [own] + takeEffects()
        case .ended(let exchange, let outcome): end(exchange, outcome, at: now)
        case .left(let ticket): gates.withdraw(ticket)
        case .time:
            if isHolding { openQuietGates(at: now) }
            catchUp(at: now)
        }
        return takeEffects()
    }

    /// Removes the effects of everything that has happened since this method was last called.
    package mutating func takeEffects() -> [Effect] {
        guard !effects.isEmpty else { return [] }
        defer { effects = [] }
        return effects
    }
}
