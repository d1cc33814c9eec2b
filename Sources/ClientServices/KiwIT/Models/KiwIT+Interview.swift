extension KiwIT {
    /// An interview to train with.
    public struct Interview: Codable, Sendable, Hashable, Identifiable {
        /// The interview's number.
        public var id: Int
        /// What it is called.
        public var title: String
        /// How long it may take, in seconds.
        public var timeLimit: Int
        /// How many questions it has.
        public var questionCount: Int
        /// When it was made.
        public var createdAt: LocalDateTime
        /// When it was changed last.
        public var updatedAt: LocalDateTime

        enum CodingKeys: String, CodingKey {
            case id, title, timeLimit
            case questionCount = "questionsCnt"
            case createdAt, updatedAt
        }
    }

    /// What an interview can be about.
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
        /// What to call it; the server thinks of something for `nil`.
        public var title: String?
        /// The category that it asks about.
        public var categoryID: Int
        /// How hard it is, by the level's number.
        public var levelNumber: Int
        /// How long it may take, in seconds.
        public var timeLimit: Int
        /// What else the user wishes, in words.
        public var wishes: String
        /// How many questions it has.
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

        /// Writes the numbers as text, as the server wants them.
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
        /// What is asked.
        public var text: String
        /// What a good answer says.
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
