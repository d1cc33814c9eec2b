public import Foundation

extension Smeem {
    /// A calendar day in Korea, independent of the device's calendar and digits.
    public struct CalendarDay: Sendable, Hashable, CustomStringConvertible {
        /// The year in the Gregorian calendar.
        public let year: Int
        /// The month, from 1 to 12.
        public let month: Int
        /// The day of the month, starting at 1.
        public let day: Int

        /// Creates the day in Korea at the given point in time.
        public init(of date: Date) {
            let parts = Calendar.korean.dateComponents([.year, .month, .day], from: date)
            year = parts.year ?? 0
            month = parts.month ?? 0
            day = parts.day ?? 0
        }

        /// Creates a day from its text, such as `2024-11-01`, or returns `nil` if the day does not exist.
        public init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.utf8.count) == [4, 2, 2], parts.joined().utf8.allSatisfy({ (48...57).contains($0) }),
                let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
            else { return nil }
            let components = DateComponents(year: year, month: month, day: day)
            guard let date = Calendar.korean.date(from: components) else { return nil }
            self.init(of: date)
            guard self.year == year, self.month == month, self.day == day else { return nil }
        }

        /// The day in the server's format, such as `2024-11-01`.
        public var description: String {
            String(format: "%04ld-%02ld-%02ld", year, month, day)
        }

        /// The point in time at which the day begins in Korea.
        public var date: Date? {
            Calendar.korean.date(from: DateComponents(year: year, month: month, day: day))
        }
    }
}

extension Calendar {
    /// Korea's calendar as the server counts: Gregorian, nine hours before Greenwich.
    static let korean: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 9 * 3600) ?? calendar.timeZone
        return calendar
    }()
}

extension Smeem {
    /// A range of days that includes its last day.
    public struct DaySpan: Sendable, Hashable {
        /// The first day of the range.
        public var first: CalendarDay
        /// The last day of the range.
        public var last: CalendarDay

        /// Creates a range from the first day through the last.
        public init(from first: CalendarDay, through last: CalendarDay) {
            self.first = first
            self.last = last
        }

        /// Returns a calendar month, extended by one week before and one week after the month.
        public static func month(of date: Date) -> DaySpan {
            let calendar = Calendar.korean
            let week: TimeInterval = 7 * 24 * 3600
            guard let month = calendar.dateInterval(of: .month, for: date) else {
                return DaySpan(from: CalendarDay(of: date), through: CalendarDay(of: date))
            }
            return DaySpan(
                from: CalendarDay(of: month.start.addingTimeInterval(-week)),
                through: CalendarDay(of: month.end.addingTimeInterval(week - 1))
            )
        }
    }
}

extension Smeem {
    /// A local date and time in Korea without a time zone, such as `2024-09-10 21:34` or `2024-09-10T21:34:00`.
    public typealias KoreanTime = ServerValue<KoreanTimeText>

    /// The kind of a ``KoreanTime``.
    public enum KoreanTimeText {}
}

extension Smeem.KoreanTime {
    /// The day in the text, or `nil` if the text does not begin with a day.
    public var day: Smeem.CalendarDay? { Smeem.CalendarDay(String(rawValue.prefix(10))) }

    /// The point in time with a precision of one second, or `nil` if the text is not a valid time.
    public var date: Date? {
        guard let midnight = day?.date else { return nil }
        let clock = rawValue.dropFirst(11).prefix(8).split(separator: ":", omittingEmptySubsequences: false)
        let numbers = clock.compactMap { Int($0) }
        guard (2...3).contains(numbers.count), numbers.count == clock.count,
            (0..<24).contains(numbers[0]), (0..<60).contains(numbers[1]),
            numbers.count < 3 || (0..<60).contains(numbers[2])
        else { return nil }
        let seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count < 3 ? 0 : numbers[2])
        return midnight.addingTimeInterval(TimeInterval(seconds))
    }
}

extension Smeem {
    /// A day of the week, as its three-letter code.
    public typealias Weekday = ServerValue<WeekdayCode>

    /// The kind of a ``Weekday``.
    public enum WeekdayCode {}
}

extension Smeem.Weekday {
    /// Monday.
    public static var monday: Self { "MON" }
    /// Tuesday.
    public static var tuesday: Self { "TUE" }
    /// Wednesday.
    public static var wednesday: Self { "WED" }
    /// Thursday.
    public static var thursday: Self { "THU" }
    /// Friday.
    public static var friday: Self { "FRI" }
    /// Saturday.
    public static var saturday: Self { "SAT" }
    /// Sunday.
    public static var sunday: Self { "SUN" }

    /// All weekdays, starting with Monday.
    public static var all: [Self] { [.monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday] }
}
