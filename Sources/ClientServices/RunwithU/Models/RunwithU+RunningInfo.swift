public import Foundation

extension RunwithU {
    /// When and where to run, which posts carry as JSON in a text.
    public struct RunningInfo: Codable, Sendable, Hashable {
        /// The day and the hour, such as `2024-09-07 토요일 오전 07시 30분`, in the writer's time zone.
        public var date: String
        /// The way.
        public var course: String?
        /// The duration, in minutes.
        public var minutes: Int?
        /// The difficulty.
        public var difficulty: Difficulty?
        /// The things to bring.
        public var supplies: String?
        /// The benefits for participants.
        public var reward: String?

        private enum CodingKeys: String, CodingKey {
            case date
            case course
            case minutes = "timeTaking"
            case difficulty = "hardType"
            case supplies
            case reward
        }

        /// A run.
        ///
        /// - Parameters:
        ///   - start: when it begins.
        ///   - timeZone: where it begins, for the day and the hour that all read.
        ///   - course: the way.
        ///   - minutes: how long it takes.
        ///   - difficulty: how hard it is going to be.
        ///   - supplies: what to bring.
        ///   - reward: what there is for those who come.
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

        /// The run of a post's text; `nil` when the text is something else.
        public init?(text: String) {
            guard let info = try? JSONDecoder().decode(RunningInfo.self, from: Data(text.utf8)) else { return nil }
            self = info
        }

        /// The run as a text for a post.
        public var text: String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Texts and whole numbers can always be written.
            return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }

        /// Returns whether the day of the run is over; `false` where that is unknown.
        ///
        /// - Parameters:
        ///   - now: the present moment.
        ///   - timeZone: the reader's.
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
