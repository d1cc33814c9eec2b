/// The time that an exchange was held at a gate.
package struct GateHold: Sendable, Hashable {
    package var gate: String
    /// Real time.
    package var duration: Duration

    package init(gate: String, duration: Duration) {
        self.gate = gate
        self.duration = duration
    }
}
