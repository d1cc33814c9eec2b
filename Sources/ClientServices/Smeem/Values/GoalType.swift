extension Smeem {
    /// A member's goal for learning English.
    ///
    /// The server may introduce additional values.
    public struct GoalType: RawRepresentable, Codable, Sendable, Hashable {
        /// The raw value, as the server sends it.
        public let rawValue: String

        /// Creates a goal from the server's value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Personal development.
        public static let develop = GoalType(rawValue: "DEVELOP")
        /// A hobby.
        public static let hobby = GoalType(rawValue: "HOBBY")
        /// Using the language where it is spoken.
        public static let apply = GoalType(rawValue: "APPLY")
        /// Business English.
        public static let business = GoalType(rawValue: "BUSINESS")
        /// Preparing for an exam.
        public static let exam = GoalType(rawValue: "EXAM")
        /// No decision yet.
        public static let undecided = GoalType(rawValue: "NONE")
    }
}

extension Smeem {
    /// The kind of achievement that a badge rewards.
    ///
    /// The server may introduce additional values.
    public struct BadgeType: RawRepresentable, Codable, Sendable, Hashable {
        /// The raw value, as the server sends it.
        public let rawValue: String

        /// Creates a badge type from the server's value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A one-time event, such as signing up.
        public static let event = BadgeType(rawValue: "EVENT")
        /// Writing a certain number of diaries.
        public static let counting = BadgeType(rawValue: "COUNTING")
        /// Writing diaries on consecutive days.
        public static let combo = BadgeType(rawValue: "COMBO")
        /// Exploring a feature of the app.
        public static let exploration = BadgeType(rawValue: "EXPLORATION")
    }
}

extension Smeem {
    /// The kind of page that a bookmark refers to.
    ///
    /// The server may introduce additional values.
    public struct ScrapType: RawRepresentable, Codable, Sendable, Hashable {
        /// The raw value, as the server sends it.
        public let rawValue: String

        /// Creates a kind of page from the server's value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A short video.
        public static let reels = ScrapType(rawValue: "REELS")
        /// A post.
        public static let post = ScrapType(rawValue: "POST")
    }
}
