/// A moment on the machine's monotonic clock, in nanoseconds since an arbitrary start.
///
/// Only the distance between two moments has a meaning. The engine never reads the clock: its caller passes the moment.
package struct MonotonicTime: Sendable, Hashable {
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The latest moment: a deadline that is never reached.
    package static let never = MonotonicTime(nanoseconds: .max)

    /// Returns this moment moved by a duration, limited to the range of the clock.
    package func advanced(by duration: Duration) -> MonotonicTime {
        let parts = duration.components
        let (seconds, overflow) = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (offset, secondOverflow) = seconds.addingReportingOverflow(parts.attoseconds / 1_000_000_000)
        let isBackwards = parts.seconds < 0 || parts.attoseconds < 0
        if overflow || secondOverflow { return isBackwards ? MonotonicTime(nanoseconds: 0) : .never }
        if isBackwards {
            let (result, underflow) = nanoseconds.subtractingReportingOverflow(offset.magnitude)
            return MonotonicTime(nanoseconds: underflow ? 0 : result)
        }
        return advanced(byNanoseconds: offset.magnitude)
    }

    /// Returns this moment moved by a number of nanoseconds, limited to the range of the clock.
    package func advanced(byNanoseconds count: UInt64) -> MonotonicTime {
        let (result, overflow) = nanoseconds.addingReportingOverflow(count)
        return overflow ? .never : MonotonicTime(nanoseconds: result)
    }

    /// The number of nanoseconds until a later moment; zero if that moment has passed.
    package func nanoseconds(until later: MonotonicTime) -> UInt64 {
        later.nanoseconds > nanoseconds ? later.nanoseconds - nanoseconds : 0
    }

    /// The time since an earlier moment; zero if that moment is later.
    package func since(_ earlier: MonotonicTime) -> Duration {
        .nanoseconds(Int64(clamping: earlier.nanoseconds(until: self)))
    }

    /// The time until another moment, negative if that moment is earlier.
    package func duration(to other: MonotonicTime) -> Duration {
        other < self ? .zero - since(other) : other.since(self)
    }
}

extension MonotonicTime: Comparable {
    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
