extension Smeem {
    /// How often a member means to write.
    public struct Plan: Codable, Sendable, Hashable, Identifiable {
        /// What is sent to choose the plan.
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
