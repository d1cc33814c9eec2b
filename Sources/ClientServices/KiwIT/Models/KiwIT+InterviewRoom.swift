extension KiwIT {
    /// A room in which the user takes an interview.
    public struct InterviewRoom: Codable, Sendable, Hashable, Identifiable {
        /// The room's ID.
        public var id: Int
        /// The score.
        public var score: Int
        /// The time at which the room was created.
        public var createdAt: LocalDateTime
        /// The time of the last change.
        public var updatedAt: LocalDateTime
    }

    /// An interview and the rooms in which the user has taken the interview.
    public struct HeldInterview: Codable, Sendable, Hashable, Identifiable {
        /// The interview.
        public var interview: Interview
        /// The rooms in which the user has taken the interview.
        public var rooms: [InterviewRoom]

        /// The interview's ID.
        public var id: Int { interview.id }

        /// Decodes all properties from a single JSON object.
        public init(from decoder: any Decoder) throws {
            (interview, rooms) = try decoder.object(with: CodingKeys.rooms)
        }

        /// Encodes all properties into a single JSON object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(interview, with: CodingKeys.rooms, rooms)
        }

        enum CodingKeys: String, CodingKey {
            case rooms = "interviewRoomList"
        }
    }

    /// A room and the user's answers in the room.
    public struct AnsweredInterviewRoom: Codable, Sendable, Hashable, Identifiable {
        /// The room.
        public var room: InterviewRoom
        /// The user's answers in the room.
        public var answers: [RecordedResponse]

        /// The room's ID.
        public var id: Int { room.id }

        /// Decodes all properties from a single JSON object.
        public init(from decoder: any Decoder) throws {
            (room, answers) = try decoder.object(with: CodingKeys.answers)
        }

        /// Encodes all properties into a single JSON object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(room, with: CodingKeys.answers, answers)
        }

        enum CodingKeys: String, CodingKey {
            case answers = "answerList"
        }
    }

    /// An interview question and the user's answer.
    public struct RecordedResponse: Codable, Sendable, Hashable, Identifiable {
        /// The answer's ID.
        public var id: Int
        /// The answer.
        public var text: String
        /// The question.
        public var question: String

        enum CodingKeys: String, CodingKey {
            case id
            case text = "myAnswer"
            case question
        }
    }

    /// A user's answer to an interview question.
    public struct InterviewAnswer: Sendable, Hashable {
        /// The question's ID.
        public var questionID: Int
        /// The answer.
        public var text: String

        /// A user's answer to an interview question.
        public init(_ text: String, toQuestion question: Int) {
            questionID = question
            self.text = text
        }
    }

    /// A room's position in the queue.
    public struct QueuePlace: Codable, Sendable, Hashable {
        /// The number of rooms ahead in the queue.
        public var order: Int
        /// The token that lets the room start, or `nil` while the room must wait.
        public var token: String?
    }

    /// An answer in the form that the server requires.
    struct SubmittedAnswer: Encodable, Sendable {
        var answer: String
        var roomID: Int
        var questionID: Int

        enum CodingKeys: String, CodingKey {
            case answer = "myAnswer"
            case roomID = "roomId"
            case questionID = "questionId"
        }
    }
}

extension KiwIT {
    /// The signed-in user's profile.
    public struct Profile: Codable, Sendable, Hashable, Identifiable {
        /// The user's ID.
        public var id: Int
        /// The email address that the user has registered with Kakao or Apple.
        public var email: String
        /// The nickname.
        public var nickname: String
        /// The points that the user has earned.
        public var points: Int
        /// The user's plan.
        public var plan: Plan
        /// The account's status.
        public var status: AccountStatus

        /// Returns a Boolean value that indicates whether the user has confirmed the deletion by typing the profile's
        /// email address.
        ///
        /// Surrounding whitespace and letter case are ignored.
        public func isConfirmed(by text: String) -> Bool {
            text.trimmingSpaces().lowercased() == email.trimmingSpaces().lowercased()
        }

        enum CodingKeys: String, CodingKey {
            case id, email, nickname
            case points = "point"
            case plan, status
        }
    }

    /// A user's plan.
    ///
    /// The server may introduce additional values.
    public struct Plan: RawRepresentable, Codable, Sendable, Hashable {
        /// The raw value, as the server sends it.
        public let rawValue: String

        /// Creates a plan from the server's value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The free plan.
        public static let normal = Plan(rawValue: "NORMAL")
        /// The smaller subscription.
        public static let pro = Plan(rawValue: "PRO")
        /// The larger subscription.
        public static let premium = Plan(rawValue: "PREMIUM")
    }

    /// The status of an account.
    ///
    /// The server may introduce additional values.
    public struct AccountStatus: RawRepresentable, Codable, Sendable, Hashable {
        /// The raw value, as the server sends it.
        public let rawValue: String

        /// Creates a status from the server's value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The account is active.
        public static let activated = AccountStatus(rawValue: "ACTIVATED")
        /// The user has withdrawn, and a sign-in reactivates the account.
        public static let deactivated = AccountStatus(rawValue: "DEACTIVATED")
        /// The account is banned.
        public static let banned = AccountStatus(rawValue: "BANNED")
        /// The user withdrew long ago, and the account has been deleted.
        public static let deleted = AccountStatus(rawValue: "DELETED")
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension KiwIT {
    /// A group of quizzes that are taken together.
    public struct QuizGroup: Codable, Sendable, Hashable, Identifiable {
        /// The group's ID.
        public var id: Int
        /// The name.
        public var title: String
        /// The topic.
        public var subtitle: String
        /// The level's number, or `nil` if not set.
        @Nullable public var levelNumber: Int?
        /// The sum of the quiz scores in the group.
        public var totalScore: Int

        enum CodingKeys: String, CodingKey {
            case id, title, subtitle
            case levelNumber = "levelNum"
            case totalScore
        }
    }

    /// A quiz group as it appears in the list of groups.
    public struct ListedQuizGroup: Codable, Sendable, Hashable, Identifiable {
        /// The group.
        public var group: QuizGroup
        /// The chapter that the group's quizzes are about.
        public var chapter: QuizChapter

        /// The group's ID.
        public var id: Int { group.id }

        /// Decodes all properties from a single JSON object.
        public init(from decoder: any Decoder) throws {
            (group, chapter) = try decoder.object(with: CodingKeys.chapter)
        }

        /// Encodes all properties into a single JSON object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(group, with: CodingKeys.chapter, chapter)
        }

        enum CodingKeys: String, CodingKey {
            case chapter = "categoryChapter"
        }
    }

    /// The chapter that a group's quizzes are about.
    public struct QuizChapter: Codable, Sendable, Hashable, Identifiable {
        /// The chapter's ID.
        public var id: Int
        /// The name.
        public var title: String
    }

    /// A quiz group with its quizzes, in any order.
    public struct QuizSheet: Codable, Sendable, Hashable, Identifiable {
        /// The group.
        public var group: QuizGroup
        /// Its quizzes.
        public var quizzes: [Quiz]

        /// The group's ID.
        public var id: Int { group.id }

        /// Decodes all properties from a single JSON object.
        public init(from decoder: any Decoder) throws {
            (group, quizzes) = try decoder.object(with: CodingKeys.quizzes)
        }

        /// Encodes all properties into a single JSON object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(group, with: CodingKeys.quizzes, quizzes)
        }

        enum CodingKeys: String, CodingKey {
            case quizzes = "quizList"
        }
    }
}

extension KiwIT {
    /// A user's progress in a lecture.
    public struct Study: Codable, Sendable, Hashable {
        /// The user's ID.
        public var userID: Int
        /// The lecture's ID.
        public var lectureID: Int
        /// A Boolean value that indicates whether the user considers the exercise's statement correct, or `nil` until
        /// the exercise is answered.
        @Nullable public var answer: Bool?
        /// A Boolean value that indicates whether the lecture is bookmarked.
        public var isBookmarked: Bool
        /// The time at which the lecture was studied.
        public var createdAt: LocalDateTime
        /// The time at which the lecture was last studied, answered or bookmarked.
        public var updatedAt: LocalDateTime

        enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case lectureID = "contentId"
            case answer = "myAnswer"
            case isBookmarked = "kept"
            case createdAt, updatedAt
        }
    }

    /// A lecture and the user's progress in the lecture.
    public struct LectureRecord: Codable, Sendable, Hashable, Identifiable {
        /// The lecture.
        public var lecture: Lecture
        /// The user's progress, or `nil` if the user has never studied the lecture.
        @Nullable public var study: Study?

        /// The lecture's ID.
        public var id: Int { lecture.id }

        /// Decodes all properties from a single JSON object.
        public init(from decoder: any Decoder) throws {
            (lecture, _study) = try decoder.object(with: CodingKeys.study)
        }

        /// Encodes all properties into a single JSON object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(lecture, with: CodingKeys.study, _study)
        }

        enum CodingKeys: String, CodingKey {
            case study = "contentStudied"
        }
    }

    /// The result of studying a lecture.
    public struct StudyResult: Codable, Sendable, Hashable {
        /// The user's progress in the lecture.
        public var study: Study
        /// The trophies that the user has won as a result.
        public var trophies: [Trophy]

        /// The result of studying a lecture.
        public init(study: Study, trophies: [Trophy]) {
            self.study = study
            self.trophies = trophies
        }

        /// Decodes all properties from a single JSON object.
        ///
        /// The July 2024 version of the server omits the trophies. In this case, the array is empty.
        public init(from decoder: any Decoder) throws {
            (study, trophies) = try decoder.object(with: CodingKeys.trophies, default: [])
        }

        /// Encodes all properties into a single JSON object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(study, with: CodingKeys.trophies, trophies)
        }

        enum CodingKeys: String, CodingKey {
            case trophies = "trophyAwardedList"
        }
    }
}

extension KiwIT {
    /// A submitted answer to a quiz.
    public struct GivenResponse: Codable, Sendable, Hashable {
        /// The quiz's ID.
        public var quizID: Int
        /// The answer: a choice's number, `true`, `false` or a word.
        ///
        /// `0` means that the user made no choice.
        public var text: String

        /// A submitted answer to a quiz.
        public init(_ text: String, toQuiz quiz: Int) {
            quizID = quiz
            self.text = text
        }

        enum CodingKeys: String, CodingKey {
            case quizID = "quizId"
            case text = "answer"
        }
    }

    /// A user's result in a quiz group.
    public struct QuizScores: Codable, Sendable, Hashable {
        /// The user's ID.
        public var userID: Int
        /// The group's ID.
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

    /// The result of submitting answers.
    public struct QuizResult: Codable, Sendable, Hashable {
        /// The scores.
        public var scores: QuizScores
        /// The trophies that the user has won as a result.
        public var trophies: [Trophy]

        /// Decodes all properties from a single JSON object.
        ///
        /// The July 2024 version of the server omits the trophies. In this case, the array is empty.
        public init(from decoder: any Decoder) throws {
            (scores, trophies) = try decoder.object(with: CodingKeys.trophies, default: [])
        }

        /// Encodes all properties into a single JSON object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(scores, with: CodingKeys.trophies, trophies)
        }

        enum CodingKeys: String, CodingKey {
            case trophies = "trophyAwardedList"
        }
    }

    /// A solved quiz group and its scores.
    public struct SolvedQuizGroup: Codable, Sendable, Hashable, Identifiable {
        /// The group.
        public var group: QuizGroup
        /// The scores.
        public var scores: QuizScores

        /// The group's ID.
        public var id: Int { group.id }

        /// Decodes all properties from a single JSON object.
        public init(from decoder: any Decoder) throws {
            (group, scores) = try decoder.object(with: CodingKeys.scores)
        }

        /// Encodes all properties into a single JSON object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(group, with: CodingKeys.scores, scores)
        }

        enum CodingKeys: String, CodingKey {
            case scores = "result"
        }
    }
}
