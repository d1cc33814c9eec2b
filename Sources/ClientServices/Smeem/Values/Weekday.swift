extension Smeem {
    /// A day of the week, as the server writes it.
    public struct Weekday: RawRepresentable, Codable, Sendable, Hashable {
        /// Three letters, such as `MON`.
        public let rawValue: String

        /// A day by its three letters.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Monday.
        public static let monday = Weekday(rawValue: "MON")
        /// Tuesday.
        public static let tuesday = Weekday(rawValue: "TUE")
        /// Wednesday.
        public static let wednesday = Weekday(rawValue: "WED")
        /// Thursday.
        public static let thursday = Weekday(rawValue: "THU")
        /// Friday.
        public static let friday = Weekday(rawValue: "FRI")
        /// Saturday.
        public static let saturday = Weekday(rawValue: "SAT")
        /// Sunday.
        public static let sunday = Weekday(rawValue: "SUN")

        /// All days, from Monday.
        public static let all = [monday, tuesday, wednesday, thursday, friday, saturday, sunday]
    }
}
