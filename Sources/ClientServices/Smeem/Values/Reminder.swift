extension Smeem {
    /// When a member wants to be reminded.
    public struct Reminder: Sendable, Hashable {
        /// On which days.
        public let days: Set<Weekday>
        /// The hour, 1 to 24, in Korea; 24 is midnight.
        public let hour: Int
        /// The minute, 0 or 30.
        public let minute: Int

        /// A reminder, unless there is no day, or the time is none that a member can choose.
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

        /// What the app proposes: Monday to Friday at ten in the evening.
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
