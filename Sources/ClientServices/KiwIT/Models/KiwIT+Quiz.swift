extension KiwIT {
    /// A quiz in a quiz group.
    public struct Quiz: Codable, Sendable, Hashable, Identifiable {
        /// The question.
        public var question: Question
        /// The choices.
        ///
        /// The array is empty unless the question is multiple choice.
        public var choices: [Choice]
        /// A Boolean value that indicates whether the quiz is bookmarked.
        public var isBookmarked: Bool

        /// The quiz's ID.
        public var id: Int { question.id }

        /// Decodes all properties from a single JSON object.
        public init(from decoder: any Decoder) throws {
            question = try Question(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            choices = try container.decode([Choice].self, forKey: .choices)
            isBookmarked = try container.decode(Bool.self, forKey: .isBookmarked)
        }

        /// Encodes all properties into a single JSON object.
        public func encode(to encoder: any Encoder) throws {
            try question.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(choices, forKey: .choices)
            try container.encode(isBookmarked, forKey: .isBookmarked)
        }

        enum CodingKeys: String, CodingKey {
            case choices = "choiceList"
            case isBookmarked = "kept"
        }
    }

    /// A choice in a multiple-choice quiz.
    public struct Choice: Codable, Sendable, Hashable {
        /// The choice's number, which is submitted as text.
        public var number: Int
        /// The ID of the quiz that the choice belongs to.
        public var quizId: Int
        /// The text.
        public var payload: String
    }

    /// A bookmarked quiz and the user's latest answer.
    public struct BookmarkedQuiz: JoinedObject, Sendable, Hashable, Identifiable {
        /// The question.
        public var question: Question
        /// The latest answer, or `nil` if the user has never answered the quiz.
        @Nullable public var latestAnswer: QuizAnswer?

        /// The quiz's ID.
        public var id: Int { question.id }

        static let layout = JoinedLayout(\Self.question, \Self._latestAnswer, as: "result") {
            Self(question: $0, latestAnswer: $1.wrappedValue)
        }
    }

    /// A user's answer to a quiz.
    public struct QuizAnswer: Codable, Sendable, Hashable {
        /// The user's ID.
        public var userId: Int
        /// The quiz's ID.
        public var quizId: Int
        /// A Boolean value that indicates whether the answer was correct.
        public var correct: Bool
        /// The submitted answer.
        public var myAnswer: String
    }

    /// The result of toggling a quiz's bookmark.
    public struct QuizBookmarkChange: Codable, Sendable, Hashable {
        /// The user's ID.
        public var userId: Int
        /// The ID of the quiz whose bookmark has changed.
        public var quizId: Int
        /// The user's latest answer, or `nil` if the user has never answered the quiz or the bookmark was removed.
        @Nullable public var quizSolved: QuizAnswer?
    }
}
