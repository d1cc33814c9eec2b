import ScenarioFormat

/// A `Date` header that was off, if only for a while: a client that it has misled does not know when it is right again.
package struct DateOffset: Sendable, Hashable {
    /// Its maximum offset.
    package var largest: Duration
    /// The last exchange before it was off; 0 when it was off from the start.
    package var lastRight: UInt64

    package init(largest: Duration, lastRight: UInt64) {
        (self.largest, self.lastRight) = (largest, lastRight)
    }

    /// The offset with another skew of the clock; `nil` if the header was right and is.
    init?(_ skew: Duration, after exchange: UInt64, _ former: DateOffset?) {
        let widens = abs(skew.wholeMicroseconds) > abs((former?.largest ?? .zero).wholeMicroseconds)
        guard let offset = widens ? DateOffset(largest: skew, lastRight: former?.lastRight ?? exchange) : former else {
            return nil
        }
        self = offset
    }
}
