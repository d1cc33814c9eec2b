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
