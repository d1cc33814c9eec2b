/// A moment on a clock that never goes back; only the distance between two of them means something.
package struct MonotonicTime: Sendable, Hashable {
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The end of time: a deadline that never comes.
    package static let never = MonotonicTime(nanoseconds: .max)

    /// This moment moved by a duration; it stops at the ends of the range instead of wrapping round.
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

    /// The same for a plain count, as the hot paths use it.
    package func advanced(byNanoseconds count: UInt64) -> MonotonicTime {
        let (result, overflow) = nanoseconds.addingReportingOverflow(count)
        return overflow ? .never : MonotonicTime(nanoseconds: result)
    }

    /// How far a later moment lies ahead; zero when it has passed.
    package func nanoseconds(until later: MonotonicTime) -> UInt64 {
        later.nanoseconds > nanoseconds ? later.nanoseconds - nanoseconds : 0
    }

    /// The way to another moment, negative when it lies behind.
    package func duration(to other: MonotonicTime) -> Duration {
        let isAhead = other.nanoseconds >= nanoseconds
        let distance = isAhead ? other.nanoseconds - nanoseconds : nanoseconds - other.nanoseconds
        let duration = Duration.nanoseconds(Int64(clamping: distance))
        return isAhead ? duration : .zero - duration
    }
}

extension MonotonicTime: Comparable {
    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
