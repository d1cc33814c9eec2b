public import Foundation

extension Smeem {
    /// A day in Korea, in the calendar of the server whatever calendar and digits the device has.
    public struct CalendarDay: Sendable, Hashable, CustomStringConvertible {
        /// The year in the Gregorian calendar.
        public let year: Int
        /// The month, from 1.
        public let month: Int
        /// The day of the month, from 1.
        public let day: Int

        /// The day on which a moment falls in Korea.
        public init(of date: Date) {
            let parts = Calendar.korean.dateComponents([.year, .month, .day], from: date)
            year = parts.year ?? 0
            month = parts.month ?? 0
            day = parts.day ?? 0
        }

        /// A day by its text, such as `2024-11-01`; `nil` when there is no such day.
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

        /// The day as the server reads it: `2024-11-01`.
        public var description: String {
            [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: "-")
        }

        /// Midnight, with which the day begins in Korea.
        public var date: Date? {
            Calendar.korean.date(from: DateComponents(year: year, month: month, day: day))
        }

        private func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
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
