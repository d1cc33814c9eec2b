public import Foundation

extension Smeem {
    /// A time of day in Korea as the server writes it, without a zone: `2024-09-10 21:34`, or with a `T` and seconds.
    public struct KoreanTime: TextValue {
        /// The time as the server writes it.
        public let text: String

        /// A time by its text.
        public init(_ text: String) {
            self.text = text
        }

        /// The day, as it stands in the text; `nil` when there is none.
        public var day: CalendarDay? { CalendarDay(String(text.prefix(10))) }

        /// The moment, to the second; `nil` when the text is no time.
        public var date: Date? {
            guard let midnight = day?.date else { return nil }
            let clock = text.dropFirst(11).prefix(8).split(separator: ":", omittingEmptySubsequences: false)
            let numbers = clock.compactMap { Int($0) }
            guard (2...3).contains(numbers.count), numbers.count == clock.count,
                (0..<24).contains(numbers[0]), (0..<60).contains(numbers[1]),
                numbers.count < 3 || (0..<60).contains(numbers[2])
            else { return nil }
            let seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count < 3 ? 0 : numbers[2])
            return midnight.addingTimeInterval(TimeInterval(seconds))
        }
    }
}
