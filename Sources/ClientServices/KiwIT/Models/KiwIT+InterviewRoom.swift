extension KiwIT {
    /// One time that an interview is held.
    public struct InterviewRoom: Codable, Sendable, Hashable, Identifiable {
        /// The room's number.
        public var id: Int
        /// How well it went.
        public var score: Int
        /// When it was opened.
        public var createdAt: LocalDateTime
        /// When it was changed last.
        public var updatedAt: LocalDateTime
    }

    /// An interview, with each time that it was held.
    public struct HeldInterview: Codable, Sendable, Hashable, Identifiable {
        /// The interview.
        public var interview: Interview
        /// Each time that it was held.
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
        /// What was answered.
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
        /// What was answered.
        public var text: String
        /// What was asked.
        public var question: String

        enum CodingKeys: String, CodingKey {
            case id
            case text = "myAnswer"
            case question
        }
    }

    /// What a user answers to a question of an interview.
    public struct InterviewAnswer: Sendable, Hashable {
        /// The question.
        public var questionID: Int
        /// The answer.
        public var text: String

        /// What a user answers to a question of an interview.
        public init(_ text: String, toQuestion question: Int) {
            questionID = question
            self.text = text
        }
    }

    /// Where a room stands in the queue.
    public struct QueuePlace: Codable, Sendable, Hashable {
        /// How many are before it.
        public var order: Int
        /// What lets the room begin; `nil` while it has to wait.
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
    /// Who is signed in.
    public struct Profile: Codable, Sendable, Hashable, Identifiable {
        /// The user's number.
        public var id: Int
        /// The user's address, as Kakao or Apple knows it.
        public var email: String
        /// What the others see.
        public var nickname: String
        /// What was won so far.
        public var points: Int
        /// What the user pays for.
        public var plan: Plan
        /// Whether the account may be used.
        public var status: AccountStatus

        /// Whether the user has typed what confirms that the account may go: the address that the profile shows.
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

    /// What a user pays for.
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

    /// Whether an account may be used.
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
        /// What it is called.
        public var title: String
        /// What it is about.
        public var subtitle: String
        /// How hard it is, by the level's number; `nil` when it is not set.
        @Nullable public var levelNumber: Int?
        /// What all its quizzes are worth.
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
        /// What it is called.
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
    /// What a user has made of a lecture.
    public struct Study: Codable, Sendable, Hashable {
        /// The user.
        public var userID: Int
        /// The lecture.
        public var lectureID: Int
        /// Whether the user takes the exercise's statement for right; `nil` until it is answered.
        @Nullable public var answer: Bool?
        /// Whether the lecture has a bookmark.
        public var isBookmarked: Bool
        /// When it was studied.
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
        /// What the user has made of it; `nil` when it was never studied.
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
        /// What the user has made of the lecture so far.
        public var study: Study
        /// What was won with it.
        public var trophies: [Trophy]

        /// The result of studying a lecture.
        public init(study: Study, trophies: [Trophy]) {
            self.study = study
            self.trophies = trophies
        }

        /// Reads both from one object.
        ///
        /// A server of July 2024 says nothing of trophies, because it has none to give away here.
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

    /// The result of handing in answers.
    public struct QuizResult: Codable, Sendable, Hashable {
        /// The scores.
        public var scores: QuizScores
        /// What was won with it.
        public var trophies: [Trophy]

        /// Reads both from one object.
        ///
        /// A server of July 2024 says nothing of trophies, because it has none to give away here.
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
