extension Smeem {
    /// What the settings show of a member.
    public struct Profile: Codable, Sendable, Hashable {
        /// The nickname; `nil` until sign-up is finished.
        @Nullable public var nickname: String?
        /// What the member learns for; `nil` without a choice.
        @Nullable public var goal: GoalType?
        /// The goal's name in Korean; empty without a goal.
        public var title: String
        /// How to reach the goal; empty without one.
        public var way: String
        /// What comes of reaching the goal, in lines; empty without one.
        public var detail: String
        /// The language that the member learns, such as `en`.
        public var language: String
        /// Whether the member gets push messages.
        public var hasPushMessages: Bool
        /// When the member is reminded.
        public var trainingTime: TrainingTime
        /// The badge that was won last; `nil` for none.
        @Nullable public var badge: LatestBadge?
        /// The plan; `nil` without one.
        @Nullable public var plan: Plan?

        enum CodingKeys: String, CodingKey {
            case nickname = "username"
            case goal = "target"
            case title
            case way
            case detail
            case language = "targetLang"
            case hasPushMessages = "hasPushAlarm"
            case trainingTime
            case badge
            case plan = "trainingPlan"
        }
    }
}
