extension Smeem {
    /// A member's goal for learning English.
    ///
    /// The server may come to know others than these.
    public struct GoalType: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A goal by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// To get on.
        public static let develop = GoalType(rawValue: "DEVELOP")
        /// As a hobby.
        public static let hobby = GoalType(rawValue: "HOBBY")
        /// To use it where it is spoken.
        public static let apply = GoalType(rawValue: "APPLY")
        /// For work.
        public static let business = GoalType(rawValue: "BUSINESS")
        /// For an exam.
        public static let exam = GoalType(rawValue: "EXAM")
        /// Not decided yet.
        public static let undecided = GoalType(rawValue: "NONE")
    }
}

extension Smeem {
    /// The achievement that a badge is won for.
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

extension Smeem {
    /// The kind of page of a bookmark.
    ///
    /// The server may come to know others than these.
    public struct ScrapType: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A kind by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A short film.
        public static let reels = ScrapType(rawValue: "REELS")
        /// A post.
        public static let post = ScrapType(rawValue: "POST")
    }
}
