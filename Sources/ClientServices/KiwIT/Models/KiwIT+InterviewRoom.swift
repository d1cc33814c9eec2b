extension KiwIT {
    /// One time that an interview is held.
    public struct InterviewRoom: Codable, Sendable, Hashable, Identifiable {
        /// The room's number.
        public var id: Int
        /// The result.
        public var score: Int
        /// The time at which it was opened.
        public var createdAt: LocalDateTime
        /// The time at which it was changed last.
        public var updatedAt: LocalDateTime
    }

    /// An interview, with each time that it was held.
    public struct HeldInterview: Codable, Sendable, Hashable, Identifiable {
        /// The interview.
        public var interview: Interview
        /// The times at which it was held.
        public var rooms: [InterviewRoom]

        /// The interview's number.
        public var id: Int { interview.id }

        /// Reads both from one object.
        public init(from decoder: any Decoder) throws {
            (interview, rooms) = try decoder.object(with: CodingKeys.rooms)
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(interview, with: CodingKeys.rooms, rooms)
        }

        enum CodingKeys: String, CodingKey {
            case rooms = "interviewRoomList"
        }
    }

    /// A room with what was answered in it.
    public struct AnsweredInterviewRoom: Codable, Sendable, Hashable, Identifiable {
        /// The room.
        public var room: InterviewRoom
        /// The answer.
        public var answers: [RecordedResponse]

        /// The room's number.
        public var id: Int { room.id }

        /// Reads both from one object.
        public init(from decoder: any Decoder) throws {
            (room, answers) = try decoder.object(with: CodingKeys.answers)
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(room, with: CodingKeys.answers, answers)
        }

        enum CodingKeys: String, CodingKey {
            case answers = "answerList"
        }
    }

    /// A question of an interview, and what was answered to it.
    public struct RecordedResponse: Codable, Sendable, Hashable, Identifiable {
        /// The answer's number.
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

    /// A user's answer to a question of an interview.
    public struct InterviewAnswer: Sendable, Hashable {
        /// The question.
        public var questionID: Int
        /// The answer.
        public var text: String

        /// A user's answer to a question of an interview.
        public init(_ text: String, toQuestion question: Int) {
            questionID = question
            self.text = text
        }
    }

    /// The position of a room in the queue.
    public struct QueuePlace: Codable, Sendable, Hashable {
        /// The number of rooms before it.
        public var order: Int
        /// The token that starts the room; `nil` while it has to wait.
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
    /// The signed-in user.
    public struct Profile: Codable, Sendable, Hashable, Identifiable {
        /// The user's number.
        public var id: Int
        /// The user's address, as Kakao or Apple knows it.
        public var email: String
        /// The nickname.
        public var nickname: String
        /// The trophies so far.
        public var points: Int
        /// The user's plan.
        public var plan: Plan
        /// A Boolean value that indicates whether the account may be used.
        public var status: AccountStatus

        /// Returns whether the user has confirmed the deletion by typing the address of the profile.
        ///
        /// Spaces around it and the case of its letters make no difference.
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
    /// The server may come to know others than these.
    public struct Plan: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A plan by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Nothing.
        public static let normal = Plan(rawValue: "NORMAL")
        /// The smaller subscription.
        public static let pro = Plan(rawValue: "PRO")
        /// The larger subscription.
        public static let premium = Plan(rawValue: "PREMIUM")
    }

    /// The state of an account.
    ///
    /// The server may come to know others than these.
    public struct AccountStatus: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A status by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It may.
        public static let activated = AccountStatus(rawValue: "ACTIVATED")
        /// The user has withdrawn; a sign-in brings the account back.
        public static let deactivated = AccountStatus(rawValue: "DEACTIVATED")
        /// It may not.
        public static let banned = AccountStatus(rawValue: "BANNED")
        /// The user has withdrawn long ago.
        public static let deleted = AccountStatus(rawValue: "DELETED")
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension KiwIT {
    /// Quizzes that are taken together.
    public struct QuizGroup: Codable, Sendable, Hashable, Identifiable {
        /// The group's number.
        public var id: Int
        /// The name.
        public var title: String
        /// The topic.
        public var subtitle: String
        /// The difficulty, as the level's number; `nil` if not set.
        @Nullable public var levelNumber: Int?
        /// The points for all its quizzes.
        public var totalScore: Int

        enum CodingKeys: String, CodingKey {
            case id, title, subtitle
            case levelNumber = "levelNum"
            case totalScore
        }
    }

    /// A quiz group in the list of all.
    public struct ListedQuizGroup: Codable, Sendable, Hashable, Identifiable {
        /// The group.
        public var group: QuizGroup
        /// The chapter that it asks about.
        public var chapter: QuizChapter

        /// The group's number.
        public var id: Int { group.id }

        /// Reads both from one object.
        public init(from decoder: any Decoder) throws {
            (group, chapter) = try decoder.object(with: CodingKeys.chapter)
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(group, with: CodingKeys.chapter, chapter)
        }

        enum CodingKeys: String, CodingKey {
            case chapter = "categoryChapter"
        }
    }

    /// A chapter that a quiz group asks about.
    public struct QuizChapter: Codable, Sendable, Hashable, Identifiable {
        /// The chapter's number.
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

        /// The group's number.
        public var id: Int { group.id }

        /// Reads both from one object.
        public init(from decoder: any Decoder) throws {
            (group, quizzes) = try decoder.object(with: CodingKeys.quizzes)
        }

        /// Writes both into one object.
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
        /// The user.
        public var userID: Int
        /// The lecture.
        public var lectureID: Int
        /// A Boolean value that indicates whether the user considers the exercise's statement correct; `nil` until it is
        /// answered.
        @Nullable public var answer: Bool?
        /// A Boolean value that indicates whether the lecture has a bookmark.
        public var isBookmarked: Bool
        /// The time at which it was studied.
        public var createdAt: LocalDateTime
        /// When it was studied, answered or bookmarked last.
        public var updatedAt: LocalDateTime

        enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case lectureID = "contentId"
            case answer = "myAnswer"
            case isBookmarked = "kept"
            case createdAt, updatedAt
        }
    }

    /// A lecture, and what the user has made of it.
    public struct LectureRecord: Codable, Sendable, Hashable, Identifiable {
        /// The lecture.
        public var lecture: Lecture
        /// The user's progress; `nil` if it was never studied.
        @Nullable public var study: Study?

        /// The lecture's number.
        public var id: Int { lecture.id }

        /// Reads both from one object.
        public init(from decoder: any Decoder) throws {
            (lecture, _study) = try decoder.object(with: CodingKeys.study)
        }

        /// Writes both into one object.
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
        /// The trophies won with it.
        public var trophies: [Trophy]

        /// The result of studying a lecture.
        public init(study: Study, trophies: [Trophy]) {
            self.study = study
            self.trophies = trophies
        }

        /// Reads both from one object.
        ///
        /// A server of July 2024 omits trophies, because it grants none here.
        public init(from decoder: any Decoder) throws {
            (study, trophies) = try decoder.object(with: CodingKeys.trophies, default: [])
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(study, with: CodingKeys.trophies, trophies)
        }

        enum CodingKeys: String, CodingKey {
            case trophies = "trophyAwardedList"
        }
    }
}

extension KiwIT {
    /// A user's submission for a quiz.
    public struct GivenResponse: Codable, Sendable, Hashable {
        /// The quiz.
        public var quizID: Int
        /// A choice's number, `true`, `false`, or a word; `0` when no choice was made.
        public var text: String

        /// A user's submission for a quiz.
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

    /// The result of handing in answers.
    public struct QuizResult: Codable, Sendable, Hashable {
        /// The scores.
        public var scores: QuizScores
        /// The trophies won with it.
        public var trophies: [Trophy]

        /// Reads both from one object.
        ///
        /// A server of July 2024 omits trophies, because it grants none here.
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
