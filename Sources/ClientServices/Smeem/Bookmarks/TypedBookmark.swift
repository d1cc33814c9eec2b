extension Smeem {
    /// A bookmark that the user types.
    public struct TypedBookmark: Encodable, Sendable, Hashable {
        /// The expression.
        public var expression: String
        /// What it means in Korean.
        public var translation: String
        /// The page's address.
        public var page: String
        /// The address of an image of the page; `nil` for none.
        public var thumbnail: String?
        /// What the page says of itself; `nil` for nothing.
        public var description: String?

        /// A bookmark that the user types.
        ///
        /// - Parameters:
        ///   - expression: the expression.
        ///   - translation: what it means in Korean.
        ///   - page: the page's address.
        ///   - thumbnail: the address of an image of the page.
        ///   - description: what the page says of itself.
        public init(
            _ expression: String,
            meaning translation: String,
            from page: String,
            thumbnail: String? = nil,
            description: String? = nil
        ) {
            self.expression = expression
            self.translation = translation
            self.page = page
            self.thumbnail = thumbnail
            self.description = description
        }

        enum CodingKeys: String, CodingKey {
            case expression
            case translation = "translatedExpression"
            case page = "scrapedUrl"
            case thumbnail = "thumbnailImageUrl"
            case description
        }
    }
}
