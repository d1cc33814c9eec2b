extension Smeem {
    /// A diary with all that belongs to it.
    public struct DiaryDetail: Codable, Sendable, Hashable, Identifiable {
        /// What tells it from other diaries.
        public var id: Int64
        /// The topic that it is about; empty without one.
        public var topic: String
        /// The text.
        public var content: String
        /// When it was written.
        public var createdAt: KoreanTime
        /// The nickname of whoever wrote it.
        @Nullable public var author: String?
        /// Whether the text was changed since.
        public var isUpdated: Bool
        /// The sentences and what could be better in them; empty until they are asked for.
        public var corrections: [Correction]
        /// How often corrections were asked for.
        public var correctionCount: Int
        /// How often corrections may be asked for.
        public var correctionLimit: Int
        /// What the writer has looked up; `nil` for nothing.
        @Nullable public var lookedUp: String?

        enum CodingKeys: String, CodingKey {
            case id = "diaryId"
            case topic
            case content
            case createdAt
            case author = "username"
            case isUpdated
            case corrections
            case correctionCount
            case correctionLimit = "correctionMaxCount"
            case lookedUp = "engKorExpression"
        }
    }
}
