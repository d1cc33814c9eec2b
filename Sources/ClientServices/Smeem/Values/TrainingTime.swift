extension Smeem {
    /// When a member is reminded, as the server has it stored.
    ///
    /// A member who never chose has no days and -1 for hour and minute: see ``reminder``.
    public struct TrainingTime: Codable, Sendable, Hashable {
        /// The days, in no particular order.
        public var days: [Weekday]
        /// The hour, 1 to 24, in Korea; -1 without a choice.
        public var hour: Int
        /// The minute, 0 or 30; -1 without a choice.
        public var minute: Int

        /// What the member has chosen; `nil` for nothing, and for what could not be chosen.
        public var reminder: Reminder? { Reminder(on: Set(days), hour: hour, minute: minute) }

        enum CodingKeys: String, CodingKey {
            case days = "day"
            case hour
            case minute
        }

        /// Reads the days, which have commas between them.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            days = try container.decode(String.self, forKey: .days)
                .split(separator: ",").map { Weekday(rawValue: String($0)) }
            hour = try container.decode(Int.self, forKey: .hour)
            minute = try container.decode(Int.self, forKey: .minute)
        }

        /// Writes the days with commas between them.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(days.map(\.rawValue).joined(separator: ","), forKey: .days)
            try container.encode(hour, forKey: .hour)
            try container.encode(minute, forKey: .minute)
        }
    }
}
