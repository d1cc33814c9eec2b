extension Smeem {
    /// A saved expression from another source, as shown in a list.
    public struct Bookmark: Codable, Sendable, Hashable, Identifiable {
        /// The bookmark's identifier.
        public var id: Int64
        /// An image of the page; `nil` for none.
        @Nullable public var thumbnail: WebLink?
        /// The expression; `nil` when none was found.
        @Nullable public var expression: String?
        /// The page's description of itself; `nil` without one.
        @Nullable public var description: String?
        /// The time at which it was kept.
        public var createdAt: KoreanTime
        /// The kind of its page; `nil` if unknown.
        @Nullable public var scrapType: ScrapType?

        enum CodingKeys: String, CodingKey {
            case id = "bookmarkId"
            case thumbnail = "thumbnailImageUrl"
            case expression
            case description
            case createdAt
            case scrapType
        }
    }

    /// A bookmark with all that belongs to it.
    public struct BookmarkDetail: Codable, Sendable, Hashable {
        /// An image of the page; `nil` for none.
        @Nullable public var thumbnail: WebLink?
        /// The page's address.
        public var page: String
        /// The expression; `nil` when none was found.
        @Nullable public var expression: String?
        /// The meaning of the expression in Korean.
        @Nullable public var translation: String?
        /// The page's description of itself; `nil` without one.
        @Nullable public var description: String?
        /// The kind of its page; `nil` if unknown.
        @Nullable public var scrapType: ScrapType?

        enum CodingKeys: String, CodingKey {
            case thumbnail = "thumbnailImageUrl"
            case page = "scrapedUrl"
            case expression
            case translation = "translatedExpression"
            case description
            case scrapType
        }
    }

    struct Bookmarks: Codable, Sendable, Hashable {
        var bookmarks: [Bookmark]
    }
}

extension Smeem {
    /// The texts of a bookmark.
    public struct BookmarkTexts: Codable, Sendable, Hashable {
        /// The expression.
        @Nullable public var expression: String?
        /// The meaning in Korean.
        @Nullable public var translation: String?
        /// The page's description of itself.
        @Nullable public var description: String?

        enum CodingKeys: String, CodingKey {
            case expression
            case translation = "translatedExpression"
            case description
        }
    }

    /// The changes to the texts of a bookmark; `nil` for unchanged texts.
    public struct BookmarkChange: Encodable, Sendable, Hashable {
        /// The new expression.
        public var expression: String?
        /// The meaning in Korean.
        public var translation: String?
        /// The page's description of itself.
        public var description: String?

        /// Creates the changes.
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

extension Smeem {
    /// The result of keeping the expression of a page.
    public struct NewBookmark: Codable, Sendable, Hashable {
        /// The kind of page.
        public var page: Page
        /// The expression that was found.
        ///
        /// `nil` once ten were looked for today: nothing was kept then, and the user may type one.
        @Nullable public var expression: String?
        /// The meaning of the expression in Korean.
        @Nullable public var translation: String?
        /// The number of lookups today.
        public var lookedForToday: Int

        /// The kind of a page.
        public struct Page: Codable, Sendable, Hashable {
            /// An image of it; `nil` for none.
            @Nullable public var thumbnail: WebLink?
            /// Its address.
            public var url: String
            /// Its description; `nil` without one.
            @Nullable public var description: String?
            /// The kind of page; `nil` if unknown.
            @Nullable public var scrapType: ScrapType?
        }

        enum CodingKeys: String, CodingKey {
            case page = "scrapContent"
            case expression
            case translation = "translatedExpression"
            case lookedForToday = "scrapedCountPerDay"
        }
    }
}

extension Smeem {
    /// A bookmark that the user types.
    public struct TypedBookmark: Encodable, Sendable, Hashable {
        /// The expression.
        public var expression: String
        /// The meaning in Korean.
        public var translation: String
        /// The page's address.
        public var page: String
        /// The address of an image of the page; `nil` for none.
        public var thumbnail: String?
        /// The page's description of itself; `nil` without one.
        public var description: String?

        /// A bookmark that the user types.
        ///
        /// - Parameters:
        ///   - expression: the expression.
        ///   - translation: what it means in Korean.
        ///   - page: the page's address.
        ///   - thumbnail: the address of an image of the page.
        ///   - description: the page's description of itself.
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
