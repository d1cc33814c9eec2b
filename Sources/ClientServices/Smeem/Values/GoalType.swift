extension Smeem {
    /// What a member learns English for.
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
