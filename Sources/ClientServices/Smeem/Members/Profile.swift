extension Smeem {
    /// A member's settings.
    public struct Profile: Codable, Sendable, Hashable {
        /// The nickname, or `nil` until sign-up is complete.
        @Nullable public var nickname: String?
        /// The member's goal, or `nil` if the member has not chosen a goal.
        @Nullable public var goal: GoalType?
        /// The goal's name in Korean, or an empty string if the member has no goal.
        public var title: String
        /// The way to reach the goal, or an empty string if the member has no goal.
        public var way: String
        /// The benefits of reaching the goal, one per line, or an empty string if the member has no goal.
        public var detail: String
        /// The language that the member learns, such as `en`.
        public var language: String
        /// A Boolean value that indicates whether the member receives push notifications.
        public var hasPushMessages: Bool
        /// The days and time of the member's reminders.
        public var trainingTime: TrainingTime
        /// The most recent badge, or `nil` if the member has not earned one.
        @Nullable public var badge: LatestBadge?
        /// The plan, or `nil` if the member has not chosen a plan.
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

extension Smeem {
    /// Changes to a member's goal, plan and reminder; `nil` leaves a value unchanged.
    public struct MemberChoice: Encodable, Sendable, Hashable {
        /// The member's goal.
        public var goal: GoalType?
        /// The days and time of the member's reminders.
        public var reminder: Reminder?
        /// A Boolean value that indicates whether the member receives reminders.
        public var hasPushMessages: Bool?
        /// The ID of a plan, not the plan's position in the list.
        ///
        /// The server does not validate the ID. After an unknown ID is set, requests for the member's plan and settings
        /// return 404.
        public var plan: Plan.ID?

        /// Creates a set of changes.
        public init(
            goal: GoalType? = nil,
            reminder: Reminder? = nil,
            hasPushMessages: Bool? = nil,
            plan: Plan.ID? = nil
        ) {
            self.goal = goal
            self.reminder = reminder
            self.hasPushMessages = hasPushMessages
            self.plan = plan
        }

        enum CodingKeys: String, CodingKey {
            case goal = "target"
            case reminder = "trainingTime"
            case hasPushMessages = "hasAlarm"
            case plan = "planId"
        }
    }
}

extension Smeem {
    /// A member's statistics.
    public struct Performance: Codable, Sendable, Hashable {
        /// The number of days on which the member opened the app.
        public var visitDays: Int
        /// The number of diaries that the member has written.
        public var diaryCount: Int
        /// The number of consecutive days on which the member wrote a diary.
        public var diaryComboCount: Int
        /// The number of badges that the member has earned.
        public var badgeCount: Int
    }
}

extension Smeem {
    /// A member's progress with the plan in the current week.
    public struct PlanProgress: Codable, Sendable, Hashable {
        /// The plan's description, or `nil` if the member has not chosen a plan.
        @Nullable public var plan: String?
        /// The goal's name in Korean.
        public var goal: String
        /// The number of diaries written so far.
        public var clearedCount: Int
        /// The number of diaries that the plan requires, or `nil` without a plan.
        @Nullable public var clearCount: Int?
    }
}
