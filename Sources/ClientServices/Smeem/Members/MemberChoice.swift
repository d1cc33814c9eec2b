extension Smeem {
    /// What a member changes of goal, plan and reminder; what is `nil` stays as it is.
    public struct MemberChoice: Encodable, Sendable, Hashable {
        /// What the member learns for.
        public var goal: GoalType?
        /// When to remind the member.
        public var reminder: Reminder?
        /// Whether to remind the member.
        public var hasPushMessages: Bool?
        /// The id of a plan, which is not its place in the list.
        ///
        /// The server takes any number, and the member's pages are gone with one that is no plan's.
        public var plan: Plan.ID?

        /// What a member changes.
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
