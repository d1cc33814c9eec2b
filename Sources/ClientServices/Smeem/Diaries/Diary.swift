extension Smeem {
    /// A diary as it stands in a list.
    public struct Diary: Codable, Sendable, Hashable, Identifiable {
        /// What tells it from other diaries.
        public var id: Int64
        /// The text.
        public var content: String
        /// When it was written.
        public var createdAt: KoreanTime
        /// What the writer has looked up; `nil` for nothing.
        @Nullable public var lookedUp: String?

        enum CodingKeys: String, CodingKey {
            case id = "diaryId"
            case content
            case createdAt
            case lookedUp = "engKorExpression"
        }
    }

    /// The diaries of some days.
    ///
    /// There may be several of one day.
    public struct DiaryList: Codable, Sendable, Hashable {
        /// The diaries.
        public var diaries: [Diary]
        /// Whether there is a diary of the day 30 days ago.
        public var hasOneOf30DaysAgo: Bool

        enum CodingKeys: String, CodingKey {
            case diaries
            case hasOneOf30DaysAgo = "has30Past"
        }
    }
}
