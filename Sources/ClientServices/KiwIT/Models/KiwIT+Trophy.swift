extension KiwIT {
    /// Something to win.
    public struct Trophy: Codable, Sendable, Hashable, Identifiable {
        /// The trophy's number.
        public var id: Int
        /// What it is called.
        public var title: String
        /// A picture; `nil` when there is none.
        @Nullable public var image: WebLink?
        /// What it is won for.
        public var kind: TrophyKind
        /// How many it takes.
        public var threshold: Int

        enum CodingKeys: String, CodingKey {
            case id, title
            case image = "imageUrl"
            case kind = "type"
            case threshold
        }
    }

    /// What a trophy is won for.
    public enum TrophyKind: RawRepresentable, Codable, Sendable, Hashable {
        /// Lectures studied.
        case lecturesStudied
        /// Quiz groups solved.
        case quizGroupsSolved
        /// All of a chapter.
        case chapterCleared
        /// All of a category.
        case categoryCleared
        /// Something that came later than this service, by the server's name.
        case unknown(String)

        /// The kind by the server's name.
        public init(rawValue: String) {
            self =
                switch rawValue {
                case "TOTAL_CONTENT_STUDIED": .lecturesStudied
                case "TOTAL_QUIZ_GROUP_SOLVED": .quizGroupsSolved
                case "CHAPTER_CLEAR": .chapterCleared
                case "CATEGORY_CLEAR": .categoryCleared
                default: .unknown(rawValue)
                }
        }

        /// The server's name.
        public var rawValue: String {
            switch self {
            case .lecturesStudied: "TOTAL_CONTENT_STUDIED"
            case .quizGroupsSolved: "TOTAL_QUIZ_GROUP_SOLVED"
            case .chapterCleared: "CHAPTER_CLEAR"
            case .categoryCleared: "CATEGORY_CLEAR"
            case .unknown(let name): name
            }
        }
    }

    /// A trophy that a user has won.
    public struct WonTrophy: Codable, Sendable, Hashable, Identifiable {
        /// The user.
        public var userID: Int
        /// What was won.
        public var trophy: Trophy
        /// When it was won.
        public var createdAt: LocalDateTime
        /// When that was changed last.
        public var updatedAt: LocalDateTime

        /// The trophy's number.
        public var id: Int { trophy.id }

        enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case trophy, createdAt, updatedAt
        }
    }
}
