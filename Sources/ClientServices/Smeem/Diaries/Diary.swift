extension Smeem {
    /// A diary, as shown in a list.
    public struct Diary: Codable, Sendable, Hashable, Identifiable {
        /// The diary's identifier.
        public var id: Int64
        /// The text.
        public var content: String
        /// The time at which the diary was written.
        public var createdAt: KoreanTime
        /// The expression that the author looked up, or `nil` if the author did not look up an expression.
        @Nullable public var lookedUp: String?

        enum CodingKeys: String, CodingKey {
            case id = "diaryId"
            case content
            case createdAt
            case lookedUp = "engKorExpression"
        }
    }

    /// The diaries in a date range.
    ///
    /// A day can have several diaries.
    public struct DiaryList: Codable, Sendable, Hashable {
        /// The diaries.
        public var diaries: [Diary]
        /// A Boolean value that indicates whether the member wrote a diary 30 days ago.
        public var hasOneOf30DaysAgo: Bool

        enum CodingKeys: String, CodingKey {
            case diaries
            case hasOneOf30DaysAgo = "has30Past"
        }
    }
}

extension Smeem {
    /// A correction of one sentence in a diary.
    public struct Correction: Codable, Sendable, Hashable {
        /// The original sentence.
        public var originalSentence: String
        /// The corrected sentence.
        public var correctedSentence: String
        /// The reason for the correction, in Korean.
        public var reason: String
        /// A Boolean value that indicates whether the corrected sentence differs from the original.
        public var isCorrected: Bool
    }

    struct Corrections: Codable, Sendable, Hashable {
        var corrections: [Correction]
    }

    /// A reason for dissatisfaction with the corrections.
    public enum Dissatisfaction: String, Codable, Sendable, Hashable, CaseIterable {
        /// The corrections are hard to understand.
        case hardToUnderstand = "HARD_TO_UNDERSTAND"
        /// The corrections are too short.
        case tooShort = "TOO_SHORT"
        /// The corrections are wrong.
        case wrong = "FEEDBACK_ERROR"
        /// The corrections contain too little feedback about vocabulary.
        case littleAboutWords = "WORD_FEEDBACK_LACK"
        /// The corrections contain too little feedback about grammar.
        case littleAboutGrammar = "GRAMMAR_FEEDBACK_LACK"
    }
}

extension Smeem {
    /// A diary with all details.
    public struct DiaryDetail: Codable, Sendable, Hashable, Identifiable {
        /// The diary's identifier.
        public var id: Int64
        /// The diary's topic, or an empty string if the diary has no topic.
        public var topic: String
        /// The text.
        public var content: String
        /// The time at which the diary was written.
        public var createdAt: KoreanTime
        /// The nickname of the member who wrote the diary.
        @Nullable public var author: String?
        /// A Boolean value that indicates whether the text has been changed since the diary was written.
        public var isUpdated: Bool
        /// The corrections of the diary's sentences.
        ///
        /// The array is empty until corrections are requested.
        public var corrections: [Correction]
        /// The number of times that corrections have been requested.
        public var correctionCount: Int
        /// The maximum number of times that corrections can be requested.
        public var correctionLimit: Int
        /// The expression that the author looked up, or `nil` if the author did not look up an expression.
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
    /// The content of a new diary.
    public struct DiaryDraft: Encodable, Sendable, Hashable {
        /// The text, with at most ``longest`` characters.
        public var content: String
        /// The ID of the topic, or `nil` for a diary without a topic.
        public var topic: Topic.ID?
        /// The expression that the author looked up, or `nil` if the author did not look up an expression.
        public var lookedUp: String?

        /// Creates a draft of a diary.
        public init(_ content: String, about topic: Topic.ID? = nil, lookedUp: String? = nil) {
            self.content = content
            self.topic = topic
            self.lookedUp = lookedUp
        }

        /// The maximum number of characters in a diary.
        public static let longest = 6000

        enum CodingKeys: String, CodingKey {
            case content
            case topic = "topicId"
            case lookedUp = "engKorExpression"
        }
    }

    /// The result of writing a diary.
    public struct WrittenDiary: Codable, Sendable, Hashable, Identifiable {
        /// The new diary's ID.
        public var id: Diary.ID
        /// The badges that the member earned by writing the diary.
        public var badges: [Badge]

        enum CodingKeys: String, CodingKey {
            case id = "diaryId"
            case badges
        }
    }

    /// A suggested topic for a diary.
    public struct Topic: Codable, Sendable, Hashable, Identifiable {
        /// The topic's identifier.
        public var id: Int64
        /// The topic's text in Korean.
        public var content: String

        enum CodingKeys: String, CodingKey {
            case id = "topicId"
            case content
        }
    }
}
