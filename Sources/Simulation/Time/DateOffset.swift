/// A `Date` header that was off, if only for a while: a client that it has misled does not know when it is right again.
package struct DateOffset: Sendable, Hashable {
    /// Its maximum offset.
    package var largest: Duration
    /// The last exchange before it was off; 0 when it was off from the start.
    package var lastRight: UInt64

    package init(largest: Duration, lastRight: UInt64) {
        (self.largest, self.lastRight) = (largest, lastRight)
    }
}

extension Session {
    /// Keeps of a `Date` that was off only what still is.
    mutating func forgetPastDateOffsets() {
        dateOffset = clock.skew == .zero ? nil : DateOffset(largest: clock.skew, lastRight: lastExchange)
    }
}
