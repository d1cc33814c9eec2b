public import Foundation

/// A point in time in RFC 3339 format, such as `2024-09-01T05:12:33.418Z`.
///
/// The original text is preserved, because it can be more precise than a `Date`. If the text is not a valid time,
/// ``date`` is `nil`, so an app does not show a wrong date.
public typealias Moment = ServerValue<MomentText>

/// The kind of a ``Moment``.
public enum MomentText {}

extension Moment {
    /// The point in time, including any fraction of a second, or `nil` if the text is invalid.
    public var date: Date? {
        let halves = rawValue.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, let day = GregorianDay(halves[0]), let zone = Self.zone(of: halves[1]),
            let seconds = Self.seconds(halves[1].dropLast(zone.length))
        else { return nil }
        return Date(timeIntervalSince1970: Double(day.daysSince1970 * 86_400 - zone.seconds) + seconds)
    }

    /// The offset of a time from UTC, in seconds, and the length of its text.
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
    /// The number that this many digits make, and nothing else.
    fileprivate func number(of digits: Int) -> Int? {
        utf8.count == digits && isNumeric ? Int(self) : nil
    }

    /// A Boolean value that indicates whether there are only the digits from 0 to 9.
    fileprivate var isNumeric: Bool { utf8.allSatisfy { (48...57).contains($0) } }
}

/// A day of the Gregorian calendar.
struct GregorianDay: Sendable, Hashable {
    var year: Int
    var month: Int
    var day: Int

    /// The day of a text such as `2024-09-01`.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (0...9999).contains(year), (1...12).contains(month),
            (1...Self.length(of: month, in: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day of a moment, where the clocks are those of a time zone.
    init(_ date: Date, in timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        year = parts.year ?? 1970
        month = parts.month ?? 1
        day = parts.day ?? 1
    }

    /// Returns the number of days of a month.
    private static func length(of month: Int, in year: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1 January 1970, counted in years that begin with March, so that leap days come last.
    var daysSince1970: Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
