extension Smeem {
    /// The texts of a bookmark.
    public struct BookmarkTexts: Codable, Sendable, Hashable {
        /// The expression.
        @Nullable public var expression: String?
        /// What it means in Korean.
        @Nullable public var translation: String?
        /// What the page says of itself.
        @Nullable public var description: String?

        enum CodingKeys: String, CodingKey {
            case expression
            case translation = "translatedExpression"
            case description
        }
    }

    /// What changes in the texts of a bookmark; what is `nil` stays as it is.
    public struct BookmarkChange: Encodable, Sendable, Hashable {
        /// The new expression.
        public var expression: String?
        /// What it means in Korean.
        public var translation: String?
        /// What the page says of itself.
        public var description: String?

        /// What changes.
        public init(expression: String? = nil, translation: String? = nil, description: String? = nil) {
            self.expression = expression
            self.translation = translation
            self.description = description
        }

        enum CodingKeys: String, CodingKey {
            case expression
            case translation = "translatedExpression"
            case description
        }
    }
}
