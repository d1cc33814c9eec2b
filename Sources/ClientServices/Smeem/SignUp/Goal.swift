extension Smeem {
    /// A goal that a new member can choose.
    public struct Goal: Codable, Sendable, Hashable, Identifiable {
        /// The goal's code.
        public var type: GoalType
        /// The goal's name in Korean.
        public var name: String

        /// The goal's code.
        public var id: GoalType { type }

        enum CodingKeys: String, CodingKey {
            case type = "goalType"
            case name
        }
    }

    /// The details of a goal.
    public struct GoalDetail: Codable, Sendable, Hashable {
        /// The goal's code, which the server sends as `name`.
        public var type: GoalType
        /// The goal's name in Korean.
        public var title: String
        /// The way to reach the goal.
        public var way: String
        /// The benefits of reaching the goal, one per line.
        public var detail: String

        enum CodingKeys: String, CodingKey {
            case type = "name"
            case title
            case way
            case detail
        }
    }

    struct Goals: Codable, Sendable, Hashable {
        var goals: [Goal]
    }
}

extension Smeem {
    /// A member's writing plan.
    public struct Plan: Codable, Sendable, Hashable, Identifiable {
        /// The plan's ID.
        ///
        /// The ID is not the plan's position in the list.
        public var id: Int64
        /// The plan's description.
        public var content: String
    }

    struct Plans: Codable, Sendable, Hashable {
        var plans: [Plan]
    }
}
