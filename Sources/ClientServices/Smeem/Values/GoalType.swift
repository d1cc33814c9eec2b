extension Smeem {
    /// A member's goal for learning English, as the server's code.
    public typealias GoalType = ServerValue<GoalCode>

    /// The kind of a ``GoalType``.
    public enum GoalCode {}
}

extension Smeem {
    /// The kind of achievement that a badge rewards.
    public typealias BadgeType = ServerValue<BadgeCode>

    /// The kind of a ``BadgeType``.
    public enum BadgeCode {}
}

extension Smeem {
    /// The kind of page that a bookmark refers to.
    public typealias ScrapType = ServerValue<ScrapCode>

    /// The kind of a ``ScrapType``.
    public enum ScrapCode {}
}

extension Smeem.GoalType {
    /// Personal development.
    public static var develop: Self { "DEVELOP" }
    /// A hobby.
    public static var hobby: Self { "HOBBY" }
    /// Using the language where it is spoken.
    public static var apply: Self { "APPLY" }
    /// Business English.
    public static var business: Self { "BUSINESS" }
    /// Preparing for an exam.
    public static var exam: Self { "EXAM" }
    /// No decision yet.
    public static var undecided: Self { "NONE" }
}

extension Smeem.BadgeType {
    /// A one-time event, such as signing up.
    public static var event: Self { "EVENT" }
    /// Writing a certain number of diaries.
    public static var counting: Self { "COUNTING" }
    /// Writing diaries on consecutive days.
    public static var combo: Self { "COMBO" }
    /// Exploring a feature of the app.
    public static var exploration: Self { "EXPLORATION" }
}

extension Smeem.ScrapType {
    /// A short video.
    public static var reels: Self { "REELS" }
    /// A post.
    public static var post: Self { "POST" }
}
