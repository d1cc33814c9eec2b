extension Smeem {
    /// One of the goals that a newcomer chooses from.
    public struct Goal: Codable, Sendable, Hashable, Identifiable {
        /// The goal's value in requests.
        public var type: GoalType
        /// The goal's name in Korean.
        public var name: String

        /// The goal's value in requests.
        public var id: GoalType { type }

        enum CodingKeys: String, CodingKey {
            case type = "goalType"
            case name
        }
    }

    /// The plan for a goal.
    public struct GoalDetail: Codable, Sendable, Hashable {
        /// The goal; the server's `name` is its code.
        public var type: GoalType
        /// The goal's name in Korean.
        public var title: String
        /// The way to reach it.
        public var way: String
        /// The benefits, in lines.
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
        /// The value to send for the plan.
        ///
        /// It is not the plan's place in the list.
        public var id: Int64
        /// The plan in words.
        public var content: String
    }

    struct Plans: Codable, Sendable, Hashable {
        var plans: [Plan]
    }
}
