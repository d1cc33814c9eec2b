extension Smeem {
    /// A member's stored reminder setting.
    ///
    /// For a member who has not set a reminder, the days are empty, and the hour and minute are -1. See ``reminder``.
    public struct TrainingTime: Codable, Sendable, Hashable {
        /// The days of the reminder, in any order.
        public var days: [Weekday]
        /// The hour in Korean time, from 1 to 24, or -1 if no reminder is set.
        public var hour: Int
        /// The minute, 0 or 30, or -1 if no reminder is set.
        public var minute: Int

        /// The reminder, or `nil` if no reminder is set or the setting is invalid.
        public var reminder: Reminder? { Reminder(on: Set(days), hour: hour, minute: minute) }

        enum CodingKeys: String, CodingKey {
            case days = "day"
            case hour
            case minute
        }

        /// Decodes the comma-separated weekdays and the time.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            days = try container.decode(String.self, forKey: .days)
                .split(separator: ",").map { Weekday(rawValue: String($0)) }
            hour = try container.decode(Int.self, forKey: .hour)
            minute = try container.decode(Int.self, forKey: .minute)
        }

        /// Encodes the weekdays as a comma-separated string.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(days.map(\.rawValue).joined(separator: ","), forKey: .days)
            try container.encode(hour, forKey: .hour)
            try container.encode(minute, forKey: .minute)
        }
    }
}

extension Smeem {
    /// The days and time of a member's reminders.
    public struct Reminder: Sendable, Hashable {
        /// The days of the reminder.
        public let days: Set<Weekday>
        /// The hour in Korean time, from 1 to 24, where 24 is midnight.
        public let hour: Int
        /// The minute, which is 0 or 30.
        public let minute: Int

        /// Creates a reminder, or returns `nil` if no day is given or if members cannot choose the time.
        public init?(on days: Set<Weekday>, hour: Int, minute: Int) {
            guard !days.isEmpty, days.isSubset(of: Weekday.all), (1...24).contains(hour), [0, 30].contains(minute)
            else {
                return nil
            }
            self.init(checked: days, hour, minute)
        }

        private init(checked days: Set<Weekday>, _ hour: Int, _ minute: Int) {
            self.days = days
            self.hour = hour
            self.minute = minute
        }

        /// The app's default reminder: Monday to Friday at 22:00.
        public static let usual = Reminder(checked: [.monday, .tuesday, .wednesday, .thursday, .friday], 22, 0)
    }
}

extension Smeem.Reminder: Encodable {
    /// Encodes the days in weekday order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Smeem.TrainingTime.CodingKeys.self)
        let days = Smeem.Weekday.all.filter(days.contains).map(\.rawValue)
        try container.encode(days.joined(separator: ","), forKey: .days)
        try container.encode(hour, forKey: .hour)
        try container.encode(minute, forKey: .minute)
    }
}
