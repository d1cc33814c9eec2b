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

        /// The member's choice; `nil` without one, and for invalid choices.
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

extension Smeem {
    /// The times of a member's reminders.
    public struct Reminder: Sendable, Hashable {
        /// On which days.
        public let days: Set<Weekday>
        /// The hour, 1 to 24, in Korea; 24 is midnight.
        public let hour: Int
        /// The minute, 0 or 30.
        public let minute: Int

        /// A reminder, unless there is no day, or the time is not one that a member can choose.
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

        /// The default of the app: Monday to Friday at ten in the evening.
        public static let usual = Reminder(checked: [.monday, .tuesday, .wednesday, .thursday, .friday], 22, 0)
    }
}

extension Smeem.Reminder: Encodable {
    /// Writes the days in the order of the week.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Smeem.TrainingTime.CodingKeys.self)
        let days = Smeem.Weekday.all.filter(days.contains).map(\.rawValue)
        try container.encode(days.joined(separator: ","), forKey: .days)
        try container.encode(hour, forKey: .hour)
        try container.encode(minute, forKey: .minute)
    }
}
