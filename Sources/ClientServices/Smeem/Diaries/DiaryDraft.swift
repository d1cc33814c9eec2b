extension Smeem {
    /// A diary that is going to be written.
    public struct DiaryDraft: Encodable, Sendable, Hashable {
        /// The text, at most 6000 characters.
        public var content: String
        /// The topic that it is about; `nil` for none.
        public var topic: Topic.ID?
        /// What the writer has looked up; `nil` for nothing.
        public var lookedUp: String?

        /// A diary, not yet written.
        public init(_ content: String, about topic: Topic.ID? = nil, lookedUp: String? = nil) {
            self.content = content
            self.topic = topic
            self.lookedUp = lookedUp
        }

        /// How many characters the server has room for.
        public static let longest = 6000

        enum CodingKeys: String, CodingKey {
            case content
            case topic = "topicId"
            case lookedUp = "engKorExpression"
        }
    }

    /// What came of writing a diary.
    public struct WrittenDiary: Codable, Sendable, Hashable, Identifiable {
        /// The new diary's id.
        public var id: Diary.ID
        /// The badges that it has won.
        public var badges: [Badge]

        enum CodingKeys: String, CodingKey {
            case id = "diaryId"
            case badges
        }
    }

    /// Something to write about.
    public struct Topic: Codable, Sendable, Hashable, Identifiable {
        /// What tells it from other topics.
        public var id: Int64
        /// The topic, in Korean.
        public var content: String

        enum CodingKeys: String, CodingKey {
            case id = "topicId"
            case content
        }
    }
}
