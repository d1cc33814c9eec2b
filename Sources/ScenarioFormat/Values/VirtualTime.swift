import Basics
import HTTPCodec

/// A moment on a scenario's clock, in microseconds since 1970-01-01T00:00:00Z.
///
/// Sixty-four bits of microseconds reach 290,000 years in both directions. Arithmetic stops at the ends and never
/// overflows, because lifetimes come from files and clock commands from the network.
package struct VirtualTime: Sendable, Hashable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package init(seconds: Int64) {
        let (value, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflows ? (seconds < 0 ? .min : .max) : value
    }

    /// Whole seconds since 1970, rounded down.
    package var seconds: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The rest above the whole seconds, 0...999,999 microseconds.
    var fraction: Int {
        let remainder = Int(microseconds % 1_000_000)
        return remainder < 0 ? remainder + 1_000_000 : remainder
    }

    package static func + (time: VirtualTime, duration: Duration) -> VirtualTime {
        let (sum, overflows) = time.microseconds.addingReportingOverflow(duration.wholeMicroseconds)
        guard overflows else { return VirtualTime(microseconds: sum) }
        return VirtualTime(microseconds: duration < .zero ? .min : .max)
    }

    package static func - (time: VirtualTime, duration: Duration) -> VirtualTime {
        time + (.zero - duration)
    }

    package static func - (left: VirtualTime, right: VirtualTime) -> Duration {
        let (difference, overflows) = left.microseconds.subtractingReportingOverflow(right.microseconds)
        return .microseconds(overflows ? (left.microseconds < 0 ? .min : .max) : difference)
    }
}

extension VirtualTime: Comparable {
    package static func < (left: VirtualTime, right: VirtualTime) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension VirtualTime: LosslessStringConvertible {
    /// Reads a moment by RFC 3339, section 5.6, to the microsecond.
    package init?(_ text: String) {
        guard let moment = RFC3339.parse(text) else { return nil }
        self.init(seconds: moment.secondsSince1970)
        microseconds += Int64(moment.nanoseconds / 1_000)
    }

    /// The moment by RFC 3339 in UTC, with a fraction only when there is one.
    package var description: String {
        RFC3339.format(
            secondsSince1970: seconds,
            nanoseconds: fraction * 1_000,
            fractionDigits: fraction == 0 ? 0 : fraction % 1_000 == 0 ? 3 : 6
        )
    }
}
