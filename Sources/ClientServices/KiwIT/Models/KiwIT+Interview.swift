public import Foundation

extension KiwIT {
    /// An interview to train with.
    public struct Interview: Codable, Sendable, Hashable, Identifiable {
        /// The interview's number.
        public var id: Int
        /// The name.
        public var title: String
        /// The time limit, in seconds.
        public var timeLimit: Int
        /// The number of its questions.
        public var questionCount: Int
        /// The time at which it was made.
        public var createdAt: LocalDateTime
        /// The time at which it was changed last.
        public var updatedAt: LocalDateTime

        enum CodingKeys: String, CodingKey {
            case id, title, timeLimit
            case questionCount = "questionsCnt"
            case createdAt, updatedAt
        }
    }

    /// The topics of interviews.
    public struct InterviewOptions: Codable, Sendable, Hashable {
        /// All categories.
        public var categories: [Category]
        /// All levels.
        public var levels: [Level]

        enum CodingKeys: String, CodingKey {
            case categories = "categoryList"
            case levels = "levelList"
        }
    }

    /// An interview to be made.
    public struct NewInterview: Encodable, Sendable, Hashable {
        /// The title; the server chooses one for `nil`.
        public var title: String?
        /// The category that it asks about.
        public var categoryID: Int
        /// The difficulty, as the level's number.
        public var levelNumber: Int
        /// The time limit, in seconds.
        public var timeLimit: Int
        /// Further wishes of the user.
        public var wishes: String
        /// The number of its questions.
        public var questionCount: Int

        /// An interview to be made; the numbers are zero or more, and the time limit is in seconds.
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

        /// Writes the numbers as text, as the server requires.
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
    public struct InterviewSheet: Codable, Sendable, Hashable, Identifiable {
        /// The interview.
        public var interview: Interview
        /// Its questions.
        public var questions: [InterviewQuestion]

        /// The interview's number.
        public var id: Int { interview.id }

        /// Reads both from one object.
        public init(from decoder: any Decoder) throws {
            (interview, questions) = try decoder.object(with: CodingKeys.questions)
        }

        /// Writes both into one object.
        public func encode(to encoder: any Encoder) throws {
            try encoder.object(interview, with: CodingKeys.questions, questions)
        }

        enum CodingKeys: String, CodingKey {
            case questions = "questionList"
        }
    }

    /// A question of an interview.
    public struct InterviewQuestion: Codable, Sendable, Hashable, Identifiable {
        /// The question's number.
        public var id: Int
        /// The question.
        public var text: String
        /// A model answer.
        public var modelAnswer: String

        enum CodingKeys: String, CodingKey {
            case id
            case text = "question"
            case modelAnswer
        }
    }

    /// The server's list of interviews.
    struct InterviewList: Codable, Sendable {
        var interviews: [Interview]

        enum CodingKeys: String, CodingKey {
            case interviews = "interviewList"
        }
    }
}

extension KiwIT {
    /// Something to answer.
    public struct Question: Codable, Sendable, Hashable, Identifiable {
        /// The question's number.
        public var id: Int
        /// The kind of answer.
        public var kind: QuestionKind
        /// The name.
        public var title: String
        /// The question.
        public var text: String
        /// The right answer: a choice's number, `true`, `false`, or a word.
        public var answer: String
        /// The explanation of the correct answer.
        public var explanation: String
        /// The points for the correct answer.
        public var score: Int

        /// Returns whether an answer is right; to the letter, as the server compares.
        public func isAnswered(by text: String) -> Bool {
            text.utf8.elementsEqual(answer.utf8)
        }

        enum CodingKeys: String, CodingKey {
            case id
            case kind = "type"
            case title
            case text = "question"
            case answer, explanation, score
        }
    }

    /// The kind of answer to a question.
    ///
    /// The server may come to know others than these.
    public struct QuestionKind: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A kind by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// With one of several choices.
        public static let choice = QuestionKind(rawValue: "MULTIPLE")
        /// With true or false.
        public static let trueOrFalse = QuestionKind(rawValue: "TF")
        /// With a word.
        public static let word = QuestionKind(rawValue: "SHORT")
    }
}

extension KiwIT {
    /// A moment in Korean time, with as many digits of the second as the server has for it.
    ///
    /// The server leaves out zeros at the end, so there may be zero to nine of them. The text is kept as it came, and
    /// a row can always be shown, whether or not the text is understood.
    public struct LocalDateTime: TextValue {
        /// The moment as the server writes it, such as `2024-09-22T20:26:11.123456`.
        public let text: String

        /// A moment as the server writes it.
        public init(_ text: String) {
            self.text = text
        }

        /// The moment; `nil` when the text does not have the server's form.
        public var date: Date? {
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
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
}

extension KiwIT {
    /// Something to win.
    public struct Trophy: Codable, Sendable, Hashable, Identifiable {
        /// The trophy's number.
        public var id: Int
        /// The name.
        public var title: String
        /// A picture; `nil` if missing.
        @Nullable public var image: WebLink?
        /// The achievement that it is won for.
        public var kind: TrophyKind
        /// The required number.
        public var threshold: Int

        enum CodingKeys: String, CodingKey {
            case id, title
            case image = "imageUrl"
            case kind = "type"
            case threshold
        }
    }

    /// The achievement that a trophy is won for.
    ///
    /// The server may come to know others than these.
    public struct TrophyKind: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A kind by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Lectures studied.
        public static let lecturesStudied = TrophyKind(rawValue: "TOTAL_CONTENT_STUDIED")
        /// Quiz groups solved.
        public static let quizGroupsSolved = TrophyKind(rawValue: "TOTAL_QUIZ_GROUP_SOLVED")
        /// All of a chapter.
        public static let chapterCleared = TrophyKind(rawValue: "CHAPTER_CLEAR")
        /// All of a category.
        public static let categoryCleared = TrophyKind(rawValue: "CATEGORY_CLEAR")
    }

    /// A trophy that a user has won.
    public struct WonTrophy: Codable, Sendable, Hashable, Identifiable {
        /// The user.
        public var userID: Int
        /// The trophy.
        public var trophy: Trophy
        /// The time at which it was won.
        public var createdAt: LocalDateTime
        /// The time at which that was changed last.
        public var updatedAt: LocalDateTime

        /// The trophy's number.
        public var id: Int { trophy.id }

        enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case trophy, createdAt, updatedAt
        }
    }
}

extension KiwIT {
    /// The identity provider of a user.
    ///
    /// The server may come to know others than these.
    public struct Provider: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A provider by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Kakao, with an access token.
        public static let kakao = Provider(rawValue: "KAKAO")
        /// Apple, with an identity token.
        public static let apple = Provider(rawValue: "APPLE")
    }

    /// The result of a sign-in.
    public enum SignIn: Sendable, Hashable {
        /// The user is signed in.
        case signedIn
        /// The server does not know the user, or no longer does; see ``SignUpDraft``.
        case signUpRequired(SignUpDraft)
    }

    /// The data from Kakao or Apple about a user who has to sign up.
    public struct SignUpDraft: Codable, Sendable, Hashable {
        /// The user's address; `nil` when the user keeps it to themselves, and there is no sign-up without.
        @Nullable public var email: String?
        /// A name to begin with; `nil` when the user keeps it to themselves.
        @Nullable public var nickname: String?
        /// The identity provider of the user.
        public var provider: Provider
    }

    /// Creates the data for a new account.
    public struct SignUp: Codable, Sendable, Hashable {
        /// The user's address, as Kakao or Apple knows it.
        public var email: String
        /// The nickname; must not be blank or in use.
        public var nickname: String
        /// The identity provider of the user.
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
        /// The level's number, by which its lectures are asked for.
        public var number: Int
        /// The name, if any.
        @Nullable public var title: String?

        /// The level's number.
        public var id: Int { number }

        enum CodingKeys: String, CodingKey {
            case number = "num"
            case title
        }
    }

    /// The topic of lectures.
    public struct Category: Codable, Sendable, Hashable, Identifiable {
        /// The category's number.
        public var id: Int
        /// The name.
        public var title: String
        /// A small picture.
        public var thumbnail: WebLink

        enum CodingKeys: String, CodingKey {
            case id, title
            case thumbnail = "thumbnailUrl"
        }
    }

    /// A part of a category, with its lectures.
    public struct Chapter: Codable, Sendable, Hashable, Identifiable {
        /// The chapter's number.
        public var id: Int
        /// The name.
        public var title: String
        /// Its lectures; at least one.
        public var lectures: [Lecture]

        enum CodingKeys: String, CodingKey {
            case id, title
            case lectures = "contentList"
        }
    }

    /// Something to read, with an exercise.
    public struct Lecture: Codable, Sendable, Hashable, Identifiable {
        /// The lecture's number.
        public var id: Int
        /// The name.
        public var title: String
        /// The points for studying it.
        public var points: Int
        /// A statement that is right or wrong.
        public var exercise: String
        /// A Boolean value that indicates whether the exercise's statement is right.
        public var isExerciseRight: Bool
        /// The difficulty, as the level's number; `nil` if not set.
        @Nullable public var levelNumber: Int?
        /// The chapter it belongs to; `nil` for none.
        @Nullable public var chapterID: Int?
        /// The web page to read.
        public var page: WebLink

        enum CodingKeys: String, CodingKey {
            case id, title
            case points = "point"
            case exercise
            case isExerciseRight = "answer"
            case levelNumber = "levelNum"
            case chapterID = "categoryChapterId"
            case page = "payloadUrl"
        }
    }
}
