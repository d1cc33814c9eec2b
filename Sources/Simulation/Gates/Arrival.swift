/// What becomes of a request that has arrived.
package enum Arrival: Sendable {
    /// No gate wants it: it is answered as the decision says.
    case decided(Decision)
    /// It is decided, and a gate holds its response; ``Session/takeOpenings()`` says when that goes on.
    case responseHeld(Decision)
    /// A gate holds it, and it is decided when it goes on; the number is its ticket until then.
    case requestHeld(UInt64)
}
