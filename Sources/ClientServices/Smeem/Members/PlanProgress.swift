extension Smeem {
    /// How far a member has come with the plan of this week.
    public struct PlanProgress: Codable, Sendable, Hashable {
        /// The plan in words; `nil` when the member never chose one.
        @Nullable public var plan: String?
        /// The goal's name in Korean.
        public var goal: String
        /// How many diaries are written.
        public var clearedCount: Int
        /// How many diaries the plan asks for; `nil` without a plan.
        @Nullable public var clearCount: Int?
    }
}
