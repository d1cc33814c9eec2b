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
    public struct HeldInterview: JoinedObject, Sendable, Hashable, Identifiable {
        /// The interview.
        public var interview: Interview
        /// The rooms in which the user has taken the interview.
        public var rooms: [InterviewRoom]

        /// The interview's ID.
        public var id: Int { interview.id }

        static let layout = JoinedLayout(\Self.interview, \Self.rooms, as: "interviewRoomList") {
            Self(interview: $0, rooms: $1)
        }
    }

    /// A room and the user's answers in the room.
    public struct AnsweredInterviewRoom: JoinedObject, Sendable, Hashable, Identifiable {
        /// The room.
        public var room: InterviewRoom
        /// The user's answers in the room.
        public var answers: [RecordedResponse]

        /// The room's ID.
        public var id: Int { room.id }

        static let layout = JoinedLayout(\Self.room, \Self.answers, as: "answerList") { Self(room: $0, answers: $1) }
    }

    /// An interview question and the user's answer.
    public struct RecordedResponse: Codable, Sendable, Hashable, Identifiable {
        /// The answer's ID.
        public var id: Int
        /// The answer.
        public var myAnswer: String
        /// The question.
        public var question: String
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
        var myAnswer: String
        var roomId: Int
        var questionId: Int
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
        public var point: Int
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
    }

    /// A user's plan.
    public typealias Plan = ServerValue<PlanCode>

    /// The kind of a ``Plan``.
    public enum PlanCode {}

    /// The status of an account.
    public typealias AccountStatus = ServerValue<AccountStatusCode>

    /// The kind of an ``AccountStatus``.
    public enum AccountStatusCode {}
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
        @Nullable public var levelNum: Int?
        /// The sum of the quiz scores in the group.
        public var totalScore: Int
    }

    /// A quiz group as it appears in the list of groups.
    public struct ListedQuizGroup: JoinedObject, Sendable, Hashable, Identifiable {
        /// The group.
        public var group: QuizGroup
        /// The chapter that the group's quizzes are about.
        public var chapter: QuizChapter

        /// The group's ID.
        public var id: Int { group.id }

        static let layout = JoinedLayout(\Self.group, \Self.chapter, as: "categoryChapter") {
            Self(group: $0, chapter: $1)
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
    public struct QuizSheet: JoinedObject, Sendable, Hashable, Identifiable {
        /// The group.
        public var group: QuizGroup
        /// Its quizzes.
        public var quizzes: [Quiz]

        /// The group's ID.
        public var id: Int { group.id }

        static let layout = JoinedLayout(\Self.group, \Self.quizzes, as: "quizList") { Self(group: $0, quizzes: $1) }
    }
}

extension KiwIT {
    /// A user's progress in a lecture.
    public struct Study: Codable, Sendable, Hashable {
        /// The user's ID.
        public var userId: Int
        /// The lecture's ID.
        public var contentId: Int
        /// A Boolean value that indicates whether the user considers the exercise's statement correct, or `nil` until
        /// the exercise is answered.
        @Nullable public var myAnswer: Bool?
        /// A Boolean value that indicates whether the lecture is bookmarked.
        public var isBookmarked: Bool
        /// The time at which the lecture was studied.
        public var createdAt: LocalDateTime
        /// The time at which the lecture was last studied, answered or bookmarked.
        public var updatedAt: LocalDateTime

        enum CodingKeys: String, CodingKey {
            case userId
            case contentId
            case myAnswer
            case isBookmarked = "kept"
            case createdAt
            case updatedAt
        }
    }

    /// A lecture and the user's progress in the lecture.
    public struct LectureRecord: JoinedObject, Sendable, Hashable, Identifiable {
        /// The lecture.
        public var lecture: Lecture
        /// The user's progress, or `nil` if the user has never studied the lecture.
        @Nullable public var study: Study?

        /// The lecture's ID.
        public var id: Int { lecture.id }

        static let layout = JoinedLayout(\Self.lecture, \Self._study, as: "contentStudied") {
            Self(lecture: $0, study: $1.wrappedValue)
        }
    }

    /// The result of studying a lecture.
    public struct StudyResult: JoinedObject, Sendable, Hashable {
        /// The user's progress in the lecture.
        public var study: Study
        /// The trophies that the user has won as a result.
        public var trophies: [Trophy]

        /// The layout, in which the July 2024 version of the server omits the trophies.
        static let layout = JoinedLayout(\Self.study, \Self.trophies, as: "trophyAwardedList", missing: { [] }) {
            Self(study: $0, trophies: $1)
        }
    }
}

extension KiwIT {
    /// A submitted answer to a quiz.
    public struct GivenResponse: Codable, Sendable, Hashable {
        /// The quiz's ID.
        public var quizId: Int
        /// The answer: a choice's number, `true`, `false` or a word.
        ///
        /// `0` means that the user made no choice.
        public var answer: String

        /// A submitted answer to a quiz.
        public init(_ text: String, toQuiz quiz: Int) {
            quizId = quiz
            self.answer = text
        }
    }

    /// A user's result in a quiz group.
    public struct QuizScores: Codable, Sendable, Hashable {
        /// The user's ID.
        public var userId: Int
        /// The group's ID.
        public var quizGroupId: Int
        /// The score of the latest attempt.
        public var latestScore: Int
        /// The score of the best attempt.
        public var highestScore: Int
    }

    /// The result of submitting answers.
    public struct QuizResult: JoinedObject, Sendable, Hashable {
        /// The scores.
        public var scores: QuizScores
        /// The trophies that the user has won as a result.
        public var trophies: [Trophy]

        /// The layout, in which the July 2024 version of the server omits the trophies.
        static let layout = JoinedLayout(\Self.scores, \Self.trophies, as: "trophyAwardedList", missing: { [] }) {
            Self(scores: $0, trophies: $1)
        }
    }

    /// A solved quiz group and its scores.
    public struct SolvedQuizGroup: JoinedObject, Sendable, Hashable, Identifiable {
        /// The group.
        public var group: QuizGroup
        /// The scores.
        public var scores: QuizScores

        /// The group's ID.
        public var id: Int { group.id }

        static let layout = JoinedLayout(\Self.group, \Self.scores, as: "result") { Self(group: $0, scores: $1) }
    }
}

extension KiwIT.Plan {
    /// The free plan.
    public static var normal: Self { "NORMAL" }
    /// The smaller subscription.
    public static var pro: Self { "PRO" }
    /// The larger subscription.
    public static var premium: Self { "PREMIUM" }
}

extension KiwIT.AccountStatus {
    /// The account is active.
    public static var activated: Self { "ACTIVATED" }
    /// The user has withdrawn, and a sign-in reactivates the account.
    public static var deactivated: Self { "DEACTIVATED" }
    /// The account is banned.
    public static var banned: Self { "BANNED" }
    /// The user withdrew long ago, and the account has been deleted.
    public static var deleted: Self { "DELETED" }
}
