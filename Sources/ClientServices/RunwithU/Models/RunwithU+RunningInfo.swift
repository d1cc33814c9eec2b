public import Foundation

extension RunwithU {
    /// The details of a run, which a post stores as a JSON string.
    public struct RunningInfo: Codable, Sendable, Hashable {
        /// The date and time in the author's time zone, such as `2024-09-07 토요일 오전 07시 30분`.
        public var date: String
        /// The course.
        public var course: String?
        /// The duration in minutes.
        public var minutes: Int?
        /// The difficulty.
        public var difficulty: Difficulty?
        /// The items that participants have to bring.
        public var supplies: String?
        /// The reward for participants.
        public var reward: String?

        private enum CodingKeys: String, CodingKey {
            case date
            case course
            case minutes = "timeTaking"
            case difficulty = "hardType"
            case supplies
            case reward
        }

        /// Creates the details of a run.
        ///
        /// - Parameters:
        ///   - start: The run's start time.
        ///   - timeZone: The run's time zone, which determines the date and time in the text.
        ///   - supplies: The items that participants have to bring.
        ///   - reward: The reward for participants.
        public init(
            start: Date,
            in timeZone: TimeZone = .current,
            course: String? = nil,
            minutes: Int? = nil,
            difficulty: Difficulty? = nil,
            supplies: String? = nil,
            reward: String? = nil
        ) {
            date = Self.text(of: start, in: timeZone)
            self.course = course
            self.minutes = minutes
            self.difficulty = difficulty
            self.supplies = supplies
            self.reward = reward
        }

        /// Creates the details from a post's text, or returns `nil` if the text is in another format.
        public init?(text: String) {
            guard let info = try? JSONDecoder().decode(RunningInfo.self, from: Data(text.utf8)) else { return nil }
            self = info
        }

        /// The details as a JSON string for a post.
        public var text: String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Texts and whole numbers can always be written.
            return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }

        /// Returns a Boolean value that indicates whether the day of the run is over, or `false` if the day is unknown.
        ///
        /// - Parameters:
        ///   - now: The current time.
        ///   - timeZone: The reader's time zone.
        public func isOver(at now: Date, in timeZone: TimeZone = .current) -> Bool {
            guard let day = date.split(separator: " ").first.flatMap(GregorianDay.init) else { return false }
            return day.daysSince1970 < GregorianDay(now, in: timeZone).daysSince1970
        }

        private static func text(of moment: Date, in timeZone: TimeZone) -> String {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = timeZone
            let parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute], from: moment)
            let weekdays = ["일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"]
            let weekday = weekdays[((parts.weekday ?? 1) - 1) % 7]
            let hour = parts.hour ?? 0
            let twelve = hour % 12 == 0 ? 12 : hour % 12
            let day = String(format: "%04ld-%02ld-%02ld", parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1)
            let half = hour < 12 ? "오전" : "오후"
            return "\(day) \(weekday) \(half) \(padded(twelve))시 \(padded(parts.minute ?? 0))분"
        }

        private static func padded(_ number: Int) -> String { String(format: "%02ld", number) }
    }
}
