extension KiwIT {
    /// A question of a quiz group, as its user meets it.
    public struct Quiz: Codable, Sendable, Hashable, Identifiable {
        /// The question.
        public var question: Question
        /// The choices; empty unless the question requires a choice.
        public var choices: [Choice]
        /// A Boolean value that indicates whether the quiz has a bookmark.
        public var isBookmarked: Bool

        /// The quiz's number.
        public var id: Int { question.id }

        /// Reads all of it from one object.
        public init(from decoder: any Decoder) throws {
            question = try Question(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            choices = try container.decode([Choice].self, forKey: .choices)
            isBookmarked = try container.decode(Bool.self, forKey: .isBookmarked)
        }

        /// Writes all of it into one object.
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

    /// One of several answers to choose from.
    public struct Choice: Codable, Sendable, Hashable {
        /// The submission, as text.
        public var number: Int
        /// The quiz that it belongs to.
        public var quizID: Int
        /// The text.
        public var text: String

        enum CodingKeys: String, CodingKey {
            case number
            case quizID = "quizId"
            case text = "payload"
        }
    }

    /// A quiz with a bookmark, and how its user has answered it.
    public struct BookmarkedQuiz: Codable, Sendable, Hashable, Identifiable {
        /// The question.
        public var question: Question
        /// The latest answer; `nil` if missing.
        @Nullable public var latestAnswer: QuizAnswer?

        /// The quiz's number.
        public var id: Int { question.id }

        /// Reads both from one object.
        public init(from decoder: any Decoder) throws {
            (question, _latestAnswer) = try decoder.object(with: CodingKeys.latestAnswer)
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(question, with: CodingKeys.latestAnswer, _latestAnswer)
        }

        enum CodingKeys: String, CodingKey {
            case latestAnswer = "result"
        }
    }

    /// A user's answer to a quiz.
    public struct QuizAnswer: Codable, Sendable, Hashable {
        /// The user.
        public var userID: Int
        /// The quiz.
        public var quizID: Int
        /// A Boolean value that indicates whether the answer was right.
        public var isCorrect: Bool
        /// The submission.
        public var text: String

        enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case quizID = "quizId"
            case isCorrect = "correct"
            case text = "myAnswer"
        }
    }

    /// A bookmark that was set or taken away.
    public struct QuizBookmarkChange: Codable, Sendable, Hashable {
        /// The user.
        public var userID: Int
        /// The quiz whose star has changed.
        public var quizID: Int
        /// The user's latest answer; `nil` if missing, and when the bookmark was taken away.
        @Nullable public var latestAnswer: QuizAnswer?

        enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case quizID = "quizId"
            case latestAnswer = "quizSolved"
        }
    }
}
