extension Smeem {
    /// What a badge is won for.
    ///
    /// The server may come to know others than these.
    public struct BadgeType: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A type by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Something that happens once, such as signing up.
        public static let event = BadgeType(rawValue: "EVENT")
        /// A number of diaries.
        public static let counting = BadgeType(rawValue: "COUNTING")
        /// Diaries on several days in a row.
        public static let combo = BadgeType(rawValue: "COMBO")
        /// Something that was found in the app.
        public static let exploration = BadgeType(rawValue: "EXPLORATION")
    }
}
