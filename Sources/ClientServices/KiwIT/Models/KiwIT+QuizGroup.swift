extension KiwIT {
    /// Quizzes that are taken together.
    public struct QuizGroup: Codable, Sendable, Hashable, Identifiable {
        /// The group's number.
        public var id: Int
        /// What it is called.
        public var title: String
        /// What it is about.
        public var subtitle: String
        /// How hard it is, by the level's number; `nil` when nobody has said.
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
