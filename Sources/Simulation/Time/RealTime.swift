import ScenarioFormat

/// A moment on the machine's monotonic clock, in nanoseconds since an arbitrary start.
///
/// The engine never reads it: whoever calls the engine says what time it is.
package struct RealTime: Sendable, Hashable, Comparable {
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    package static func < (left: RealTime, right: RealTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The time since another moment; negative when that one is later.
    package func offset(from other: RealTime) -> Duration {
        self < other ? .zero - other.since(self) : since(other)
    }

    /// The moment so long after this one, or before it; never beyond the ends of the clock.
    package func shifted(by duration: Duration) -> RealTime {
        let (microseconds, overflows) = duration.wholeMicroseconds.magnitude.multipliedReportingOverflow(by: 1_000)
        let length = overflows ? UInt64.max : microseconds
        if duration < .zero { return RealTime(nanoseconds: nanoseconds - min(nanoseconds, length)) }
        return RealTime(nanoseconds: nanoseconds + min(UInt64.max - nanoseconds, length))
    }

    /// The time since an earlier moment; zero when that one is later.
    package func since(_ earlier: RealTime) -> Duration {
        guard nanoseconds > earlier.nanoseconds else { return .zero }
        return .nanoseconds(Int64(clamping: nanoseconds - earlier.nanoseconds))
    }
}
