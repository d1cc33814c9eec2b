extension Smeem {
    /// A member's data in the settings.
    public struct Profile: Codable, Sendable, Hashable {
        /// The nickname; `nil` until sign-up is finished.
        @Nullable public var nickname: String?
        /// The member's goal; `nil` without a choice.
        @Nullable public var goal: GoalType?
        /// The goal's name in Korean; empty without a goal.
        public var title: String
        /// The way to reach the goal; empty without one.
        public var way: String
        /// The benefits of reaching the goal, in lines; empty without one.
        public var detail: String
        /// The language that the member learns, such as `en`.
        public var language: String
        /// A Boolean value that indicates whether the member gets push messages.
        public var hasPushMessages: Bool
        /// The times at which the member is reminded.
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

extension Smeem {
    /// A member's changes to goal, plan and reminder; `nil` for unchanged values.
    public struct MemberChoice: Encodable, Sendable, Hashable {
        /// The member's goal.
        public var goal: GoalType?
        /// The times at which to remind the member.
        public var reminder: Reminder?
        /// A Boolean value that indicates whether to remind the member.
        public var hasPushMessages: Bool?
        /// The id of a plan, which is not its place in the list.
        ///
        /// The server takes any number, and the member's pages are gone with one that is not a plan's.
        public var plan: Plan.ID?

        /// Creates a member's changes.
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
    /// A member's achievements.
    public struct Performance: Codable, Sendable, Hashable {
        /// On how many days the app was opened.
        public var visitDays: Int
        /// The number of diaries.
        public var diaryCount: Int
        /// On how many days in a row there was a diary.
        public var combo: Int
        /// The number of badges that were won.
        public var badgeCount: Int

        enum CodingKeys: String, CodingKey {
            case visitDays
            case diaryCount
            case combo = "diaryComboCount"
            case badgeCount
        }
    }
}

extension Smeem {
    /// A member's progress with the plan of this week.
    public struct PlanProgress: Codable, Sendable, Hashable {
        /// The plan in words; `nil` when the member never chose one.
        @Nullable public var plan: String?
        /// The goal's name in Korean.
        public var goal: String
        /// The number of diaries that are written.
        public var clearedCount: Int
        /// The number of diaries that the plan asks for; `nil` without a plan.
        @Nullable public var clearCount: Int?
    }
}
