extension KiwIT {
    /// What a user hands in for a quiz.
    public struct GivenResponse: Codable, Sendable, Hashable {
        /// The quiz.
        public var quizID: Int
        /// A choice's number, `true`, `false`, or a word; `0` when no choice was made.
        public var text: String

        /// What a user hands in for a quiz.
        public init(_ text: String, toQuiz quiz: Int) {
            quizID = quiz
            self.text = text
        }

        enum CodingKeys: String, CodingKey {
            case quizID = "quizId"
            case text = "answer"
        }
    }

    /// How well a user knows a quiz group.
    public struct QuizScores: Codable, Sendable, Hashable {
        /// The user.
        public var userID: Int
        /// The group.
        public var groupID: Int
        /// The score of the latest attempt.
        public var latest: Int
        /// The score of the best attempt.
        public var highest: Int

        enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case groupID = "quizGroupId"
            case latest = "latestScore"
            case highest = "highestScore"
        }
    }

    /// What came of handing in answers.
    public struct QuizResult: Codable, Sendable, Hashable {
        /// The scores.
        public var scores: QuizScores
        /// What was won with it.
        public var trophies: [Trophy]

        /// Reads both from one object.
        ///
        /// A server of July 2024 says nothing of trophies, for it has none to give away here.
        public init(from decoder: any Decoder) throws {
            (scores, trophies) = try decoder.object(with: CodingKeys.trophies, default: [])
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(scores, with: CodingKeys.trophies, trophies)
        }

        enum CodingKeys: String, CodingKey {
            case trophies = "trophyAwardedList"
        }
    }

    /// A quiz group that was solved, with its scores.
    public struct SolvedQuizGroup: Codable, Sendable, Hashable, Identifiable {
        /// The group.
        public var group: QuizGroup
        /// The scores.
        public var scores: QuizScores

        /// The group's number.
        public var id: Int { group.id }

        /// Reads both from one object.
        public init(from decoder: any Decoder) throws {
            (group, scores) = try decoder.object(with: CodingKeys.scores)
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(group, with: CodingKeys.scores, scores)
        }

        enum CodingKeys: String, CodingKey {
            case scores = "result"
        }
    }
}
