public import Foundation

/// A point in time as servers write it, such as `2024-09-01T05:12:33.418Z` (RFC 3339).
///
/// The text is kept, because it may hold more than a `Date` can; a text that is no point in time has no ``date``, so
/// that a screen shows none instead of a wrong one.
public struct Moment: TextValue {
    /// The point in time as the server writes it.
    public let text: String

    /// A point in time by its text.
    public init(_ text: String) {
        self.text = text
    }

    /// The point in time, with whatever fraction of a second was given; `nil` when the text is none.
    public var date: Date? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, let day = GregorianDay(halves[0]), let zone = Self.zone(of: halves[1]),
            let seconds = Self.seconds(halves[1].dropLast(zone.length))
        else { return nil }
        return Date(timeIntervalSince1970: Double(day.daysSince1970 * 86_400 - zone.seconds) + seconds)
    }

    /// How far the clocks of a time are ahead of Greenwich, in seconds, and how many characters say so.
    private static func zone(of time: Substring) -> (seconds: Int, length: Int)? {
        if time.hasSuffix("Z") { return (0, 1) }
        let zone = time.suffix(6)
        guard let sign = zone.first, sign == "+" || sign == "-" else { return nil }
        let parts = zone.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hours = parts[0].number(of: 2), let minutes = parts[1].number(of: 2) else {
            return nil
        }
        return ((sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60), 6)
    }

    /// Seconds since midnight; the sixtieth of a minute is a leap second.
    private static func seconds(_ time: Substring) -> Double? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = parts[0].number(of: 2), let minute = parts[1].number(of: 2),
            let second = parts[2].prefix(2).number(of: 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        let whole = Double(hour * 3600 + minute * 60 + second)
        guard parts[2].utf8.count > 2 else { return whole }
        let digits = parts[2].dropFirst(3)
        guard parts[2].dropFirst(2).hasPrefix("."), !digits.isEmpty, digits.isNumeric,
            let fraction = Double("0.\(digits)")
        else { return nil }
        return whole + fraction
    }
}

extension Substring {
    /// The number that so many digits make, and nothing else.
    fileprivate func number(of digits: Int) -> Int? {
        utf8.count == digits && isNumeric ? Int(self) : nil
    }

    /// Whether there are only the digits from 0 to 9.
    fileprivate var isNumeric: Bool { utf8.allSatisfy { (48...57).contains($0) } }
}
