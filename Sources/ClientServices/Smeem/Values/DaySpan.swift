public import Foundation

extension Smeem {
    /// Some days, of which the last one counts.
    public struct DaySpan: Sendable, Hashable {
        /// The first day.
        public var first: CalendarDay
        /// The last day.
        public var last: CalendarDay

        /// The days from one to another.
        public init(from first: CalendarDay, through last: CalendarDay) {
            self.first = first
            self.last = last
        }

        /// What a calendar shows of a month: from a week before it to a week after it.
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
