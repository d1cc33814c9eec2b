public import Foundation

extension KiwIT {
    /// A practice interview.
    public struct Interview: Codable, Sendable, Hashable, Identifiable {
        /// The interview's ID.
        public var id: Int
        /// The name.
        public var title: String
        /// The time limit in seconds.
        public var timeLimit: Int
        /// The number of questions.
        public var questionCount: Int
        /// The time at which the interview was created.
        public var createdAt: LocalDateTime
        /// The time of the last change.
        public var updatedAt: LocalDateTime

        enum CodingKeys: String, CodingKey {
            case id
            case title
            case timeLimit
            case questionCount = "questionsCnt"
            case createdAt
            case updatedAt
        }
    }

    /// The interview topics.
    public struct InterviewOptions: Codable, Sendable, Hashable {
        /// All categories.
        public var categoryList: [Category]
        /// All levels.
        public var levelList: [Level]
    }

    /// The settings of a new interview.
    public struct NewInterview: Encodable, Sendable, Hashable {
        /// The title, or `nil` if the server should choose a title.
        public var title: String?
        /// The ID of the category that the questions are about.
        public var categoryID: Int
        /// The number of the level that determines the difficulty.
        public var levelNumber: Int
        /// The time limit in seconds.
        public var timeLimit: Int
        /// The user's additional requirements for the interview.
        public var wishes: String
        /// The number of questions.
        public var questionCount: Int

        /// Creates the settings of a new interview.
        ///
        /// All numbers must be zero or greater, and the time limit is in seconds.
        public init(
            title: String? = nil,
            categoryID: Int,
            levelNumber: Int,
            timeLimit: Int,
            questionCount: Int,
            wishes: String = ""
        ) {
            self.title = title
            self.categoryID = categoryID
            self.levelNumber = levelNumber
            self.timeLimit = timeLimit
            self.questionCount = questionCount
            self.wishes = wishes
        }

        /// Encodes the numbers as strings, because the server requires strings.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(title, forKey: .title)
            try container.encode("\(categoryID)", forKey: .categoryID)
            try container.encode("\(levelNumber)", forKey: .levelNumber)
            try container.encode("\(timeLimit)", forKey: .timeLimit)
            try container.encode(wishes, forKey: .wishes)
            try container.encode("\(questionCount)", forKey: .questionCount)
        }

        enum CodingKeys: String, CodingKey {
            case title
            case categoryID = "categoryId"
            case levelNumber = "levelNum"
            case timeLimit
            case wishes = "etcRequest"
            case questionCount = "questionsCnt"
        }
    }

    /// An interview with its questions.
    public struct InterviewSheet: JoinedObject, Sendable, Hashable, Identifiable {
        /// The interview.
        public var interview: Interview
        /// The interview's questions.
        public var questions: [InterviewQuestion]

        /// The interview's ID.
        public var id: Int { interview.id }

        static let layout = JoinedLayout(\Self.interview, \Self.questions, as: "questionList") {
            Self(interview: $0, questions: $1)
        }
    }

    /// An interview question.
    public struct InterviewQuestion: Codable, Sendable, Hashable, Identifiable {
        /// The question's ID.
        public var id: Int
        /// The question.
        public var question: String
        /// A model answer.
        public var modelAnswer: String
    }

    /// The server's list of interviews.
    struct InterviewList: Codable, Sendable {
        var interviewList: [Interview]
    }
}

extension KiwIT {
    /// A quiz question.
    public struct Question: Codable, Sendable, Hashable, Identifiable {
        /// The question's ID.
        public var id: Int
        /// The kind of answer.
        public var type: QuestionKind
        /// The name.
        public var title: String
        /// The question.
        public var question: String
        /// The correct answer: a choice's number, `true`, `false` or a word.
        public var answer: String
        /// The explanation of the correct answer.
        public var explanation: String
        /// The points for the correct answer.
        public var score: Int

        /// Returns a Boolean value that indicates whether an answer is correct, using the server's exact comparison.
        public func isAnswered(by text: String) -> Bool {
            text.utf8.elementsEqual(answer.utf8)
        }
    }

    /// The kind of answer to a question.
    public typealias QuestionKind = ServerValue<QuestionCode>

    /// The kind of a ``QuestionKind``.
    public enum QuestionCode {}
}

extension KiwIT {
    /// A local date and time in Korea with zero to nine fractional digits, such as `2024-09-22T20:26:11.123456`.
    ///
    /// The server omits trailing zeros, so the number of digits varies. The original text is preserved, so the app can
    /// show even a value that cannot be parsed.
    public typealias LocalDateTime = ServerValue<LocalDateTimeText>

    /// The kind of a ``LocalDateTime``.
    public enum LocalDateTimeText {}
}

extension KiwIT.LocalDateTime {
    /// The point in time, or `nil` if the text is not in the server's format.
    public var date: Date? {
        let parts = rawValue.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let seconds = parts.first.flatMap(Self.wholeSeconds) else { return nil }
        guard parts.count == 2 else { return seconds }
        let digits = parts[1].utf8
        guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let fraction = Double("0." + parts[1])
        else { return nil }
        return seconds.addingTimeInterval(fraction)
    }

    private static func wholeSeconds(_ text: Substring) -> Date? {
        let bytes = Array(text.utf8)
        let layout = Array("0000-00-00T00:00:00".utf8)
        guard bytes.count == layout.count else { return nil }
        var numbers = [0]
        for (byte, sign) in zip(bytes, layout) {
            if sign == 0x30 {
                guard (0x30...0x39).contains(byte) else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - 0x30)
            } else {
                guard byte == sign else { return nil }
                numbers.append(0)
            }
        }
        var calendar = Calendar(identifier: .gregorian)
        guard let korea = TimeZone(identifier: "Asia/Seoul") ?? TimeZone(secondsFromGMT: 9 * 3600) else {
            return nil
        }
        calendar.timeZone = korea
        let components = DateComponents(
            year: numbers[0],
            month: numbers[1],
            day: numbers[2],
            hour: numbers[3],
            minute: numbers[4],
            second: numbers[5]
        )
        return components.isValidDate(in: calendar) ? calendar.date(from: components) : nil
    }
}

extension KiwIT {
    /// A trophy that a user can win.
    public struct Trophy: Codable, Sendable, Hashable, Identifiable {
        /// The trophy's ID.
        public var id: Int
        /// The name.
        public var title: String
        /// The image URL, or `nil` if the trophy has no image.
        @Nullable public var imageUrl: WebLink?
        /// The kind of achievement that the trophy rewards.
        public var type: TrophyKind
        /// The number of achievements required to win the trophy.
        public var threshold: Int
    }

    /// The kind of achievement that a trophy rewards.
    public typealias TrophyKind = ServerValue<TrophyCode>

    /// The kind of a ``TrophyKind``.
    public enum TrophyCode {}

    /// A trophy that a user has won.
    public struct WonTrophy: Codable, Sendable, Hashable, Identifiable {
        /// The user's ID.
        public var userId: Int
        /// The trophy.
        public var trophy: Trophy
        /// The time at which the trophy was won.
        public var createdAt: LocalDateTime
        /// The time of the last change.
        public var updatedAt: LocalDateTime

        /// The trophy's ID.
        public var id: Int { trophy.id }
    }
}

extension KiwIT {
    /// A user's identity provider.
    public typealias Provider = ServerValue<ProviderCode>

    /// The kind of a ``Provider``.
    public enum ProviderCode {}

    /// The result of a sign-in.
    public enum SignIn: Sendable, Hashable {
        /// The user is signed in.
        case signedIn
        /// The server does not know the user or no longer accepts the account, so the user has to sign up.
        case signUpRequired(SignUpDraft)
    }

    /// The details from Kakao or Apple about a user who has to sign up.
    public struct SignUpDraft: Codable, Sendable, Hashable {
        /// The user's email address, which is required for sign-up, or `nil` if the user does not share the address.
        @Nullable public var email: String?
        /// A suggested nickname, or `nil` if the user does not share a nickname.
        @Nullable public var nickname: String?
        /// The user's identity provider.
        public var provider: Provider
    }

    /// The data for a new account.
    public struct SignUp: Codable, Sendable, Hashable {
        /// The email address that the user has registered with Kakao or Apple.
        public var email: String
        /// The nickname, which must not be blank or in use.
        public var nickname: String
        /// The user's identity provider.
        public var provider: Provider

        /// Creates the data for a new account.
        public init(email: String, nickname: String, provider: Provider) {
            self.email = email
            self.nickname = nickname
            self.provider = provider
        }
    }

    /// Both tokens, as the server gives them.
    struct TokenPair: Codable, Sendable, Hashable {
        var accessToken: String
        var refreshToken: String

        var tokens: Tokens { Tokens(access: accessToken, refresh: refreshToken) }
    }

    /// The server's two successful responses to a sign-in.
    enum SignInResponse: Sendable {
        case signedIn(Tokens)
        case signUpRequired(SignUpDraft)
    }
}

extension KiwIT {
    /// The difficulty of lectures and quizzes.
    public struct Level: Codable, Sendable, Hashable, Identifiable {
        /// The level's number, which identifies the level in requests.
        public var num: Int
        /// The name, or `nil` if the level has no name.
        @Nullable public var title: String?

        /// The level's number.
        public var id: Int { num }
    }

    /// A category of lectures.
    public struct Category: Codable, Sendable, Hashable, Identifiable {
        /// The category's ID.
        public var id: Int
        /// The name.
        public var title: String
        /// The thumbnail URL.
        public var thumbnailUrl: WebLink
    }

    /// A chapter of a category and the chapter's lectures.
    public struct Chapter: Codable, Sendable, Hashable, Identifiable {
        /// The chapter's ID.
        public var id: Int
        /// The name.
        public var title: String
        /// The chapter's lectures, at least one.
        public var contentList: [Lecture]
    }

    /// A lecture with an exercise.
    public struct Lecture: Codable, Sendable, Hashable, Identifiable {
        /// The lecture's ID.
        public var id: Int
        /// The name.
        public var title: String
        /// The points that a user receives for studying the lecture.
        public var point: Int
        /// The exercise, which is a statement that is either correct or incorrect.
        public var exercise: String
        /// A Boolean value that indicates whether the exercise's statement is correct.
        public var answer: Bool
        /// The level's number, or `nil` if not set.
        @Nullable public var levelNum: Int?
        /// The ID of the lecture's chapter, or `nil` if the lecture does not belong to a chapter.
        @Nullable public var categoryChapterId: Int?
        /// The URL of the lecture's web page.
        public var payloadUrl: WebLink
    }
}

extension KiwIT.QuestionKind {
    /// Multiple choice.
    public static var choice: Self { "MULTIPLE" }
    /// True or false.
    public static var trueOrFalse: Self { "TF" }
    /// A short text.
    public static var word: Self { "SHORT" }
}

extension KiwIT.TrophyKind {
    /// Studying a certain number of lectures.
    public static var lecturesStudied: Self { "TOTAL_CONTENT_STUDIED" }
    /// Solving a certain number of quiz groups.
    public static var quizGroupsSolved: Self { "TOTAL_QUIZ_GROUP_SOLVED" }
    /// Completing a chapter.
    public static var chapterCleared: Self { "CHAPTER_CLEAR" }
    /// Completing a category.
    public static var categoryCleared: Self { "CATEGORY_CLEAR" }
}

extension KiwIT.Provider {
    /// Kakao, which issues an access token.
    public static var kakao: Self { "KAKAO" }
    /// Apple, which issues an identity token.
    public static var apple: Self { "APPLE" }
}
