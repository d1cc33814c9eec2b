extension Smeem {
    /// A diary, as shown in a list.
    public struct Diary: Codable, Sendable, Hashable, Identifiable {
        /// The diary's identifier.
        public var id: Int64
        /// The text.
        public var content: String
        /// The time at which it was written.
        public var createdAt: KoreanTime
        /// The expression that the writer looked up; `nil` without one.
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
    /// There may be several for one day.
    public struct DiaryList: Codable, Sendable, Hashable {
        /// The diaries.
        public var diaries: [Diary]
        /// A Boolean value that indicates whether there is a diary of the day 30 days ago.
        public var hasOneOf30DaysAgo: Bool

        enum CodingKeys: String, CodingKey {
            case diaries
            case hasOneOf30DaysAgo = "has30Past"
        }
    }
}

extension Smeem {
    /// A sentence, and what could be better in it.
    public struct Correction: Codable, Sendable, Hashable {
        /// The sentence as it was written.
        public var original: String
        /// The sentence as it could be.
        public var corrected: String
        /// The reason, in Korean.
        public var reason: String
        /// A Boolean value that indicates whether anything is better in the second.
        public var isCorrected: Bool

        enum CodingKeys: String, CodingKey {
            case original = "originalSentence"
            case corrected = "correctedSentence"
            case reason
            case isCorrected
        }
    }

    struct Corrections: Codable, Sendable, Hashable {
        var corrections: [Correction]
    }

    /// A complaint about corrections.
    public enum Dissatisfaction: String, Codable, Sendable, Hashable, CaseIterable {
        /// They are hard to understand.
        case hardToUnderstand = "HARD_TO_UNDERSTAND"
        /// They are too short.
        case tooShort = "TOO_SHORT"
        /// They are wrong.
        case wrong = "FEEDBACK_ERROR"
        /// They say too little about words.
        case littleAboutWords = "WORD_FEEDBACK_LACK"
        /// They say too little about grammar.
        case littleAboutGrammar = "GRAMMAR_FEEDBACK_LACK"
    }
}

extension Smeem {
    /// A diary with all that belongs to it.
    public struct DiaryDetail: Codable, Sendable, Hashable, Identifiable {
        /// The diary's identifier.
        public var id: Int64
        /// The topic that it is about; empty without one.
        public var topic: String
        /// The text.
        public var content: String
        /// The time at which it was written.
        public var createdAt: KoreanTime
        /// The nickname of the member who wrote it.
        @Nullable public var author: String?
        /// A Boolean value that indicates whether the text was changed since.
        public var isUpdated: Bool
        /// The sentences and what could be better in them; empty until they are asked for.
        public var corrections: [Correction]
        /// The number of requested corrections.
        public var correctionCount: Int
        /// The maximum number of corrections.
        public var correctionLimit: Int
        /// The expression that the writer looked up; `nil` without one.
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

extension Smeem {
    /// A diary that is going to be written.
    public struct DiaryDraft: Encodable, Sendable, Hashable {
        /// The text, at most 6000 characters.
        public var content: String
        /// The topic that it is about; `nil` for none.
        public var topic: Topic.ID?
        /// The expression that the writer looked up; `nil` without one.
        public var lookedUp: String?

        /// A diary, not yet written.
        public init(_ content: String, about topic: Topic.ID? = nil, lookedUp: String? = nil) {
            self.content = content
            self.topic = topic
            self.lookedUp = lookedUp
        }

        /// The number of characters the server that has room for.
        public static let longest = 6000

        enum CodingKeys: String, CodingKey {
            case content
            case topic = "topicId"
            case lookedUp = "engKorExpression"
        }
    }

    /// The result of writing a diary.
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
        /// The topic's identifier.
        public var id: Int64
        /// The topic, in Korean.
        public var content: String

        enum CodingKeys: String, CodingKey {
            case id = "topicId"
            case content
        }
    }
}
