extension Smeem {
    /// A saved expression from another source, as shown in a list.
    public struct Bookmark: Codable, Sendable, Hashable, Identifiable {
        /// The bookmark's identifier.
        public var id: Int64
        /// The page's image URL, or `nil` if the page has no image.
        @Nullable public var thumbnail: WebLink?
        /// The expression, or `nil` if no expression was found.
        @Nullable public var expression: String?
        /// The page's description, or `nil` if the page has no description.
        @Nullable public var description: String?
        /// The time at which the bookmark was saved.
        public var createdAt: KoreanTime
        /// The kind of page, or `nil` if unknown.
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

    /// A bookmark with all details.
    public struct BookmarkDetail: Codable, Sendable, Hashable {
        /// The page's image URL, or `nil` if the page has no image.
        @Nullable public var thumbnail: WebLink?
        /// The page's URL.
        public var page: String
        /// The expression, or `nil` if no expression was found.
        @Nullable public var expression: String?
        /// The Korean translation of the expression.
        @Nullable public var translation: String?
        /// The page's description, or `nil` if the page has no description.
        @Nullable public var description: String?
        /// The kind of page, or `nil` if unknown.
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
    /// The text properties of a bookmark.
    public struct BookmarkTexts: Codable, Sendable, Hashable {
        /// The expression.
        @Nullable public var expression: String?
        /// The Korean translation.
        @Nullable public var translation: String?
        /// The page's description.
        @Nullable public var description: String?

        enum CodingKeys: String, CodingKey {
            case expression
            case translation = "translatedExpression"
            case description
        }
    }

    /// The new text properties of a bookmark, all of which the server requires.
    public struct BookmarkChange: Encodable, Sendable, Hashable {
        /// The new expression.
        public var expression: String
        /// The Korean translation.
        public var translation: String
        /// The page's description.
        public var description: String

        /// Creates a set of changes.
        public init(expression: String, translation: String, description: String) {
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
    /// The result of saving an expression from a web page.
    public struct NewBookmark: Codable, Sendable, Hashable {
        /// The page that contains the expression.
        public var page: Page
        /// The expression that was found, or `nil` after ten lookups on the same day.
        ///
        /// If the value is `nil`, the server did not save a bookmark, and the user can enter the expression instead.
        @Nullable public var expression: String?
        /// The Korean translation of the expression.
        @Nullable public var translation: String?
        /// The number of lookups that the member has made today.
        public var lookedForToday: Int

        /// A web page that contains an expression.
        public struct Page: Codable, Sendable, Hashable {
            /// The page's image URL, or `nil` if the page has no image.
            @Nullable public var thumbnail: WebLink?
            /// The page's URL.
            public var url: String
            /// The page's description, or `nil` if the page has no description.
            @Nullable public var description: String?
            /// The kind of page, or `nil` if unknown.
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
    /// A bookmark that the user enters.
    public struct TypedBookmark: Encodable, Sendable, Hashable {
        /// The expression.
        public var expression: String
        /// The Korean translation.
        public var translation: String
        /// The page's URL.
        public var page: String
        /// The page's image URL, or an empty string if the page has no image.
        public var thumbnail: String
        /// The page's description, or an empty string if the page has no description.
        public var description: String

        /// A bookmark that the user enters.
        ///
        /// - Parameters:
        ///   - expression: The expression.
        ///   - translation: The Korean translation of the expression.
        ///   - page: The page's URL.
        ///   - thumbnail: The page's image URL.
        ///   - description: The page's description.
        public init(
            _ expression: String,
            meaning translation: String,
            from page: String,
            thumbnail: String = "",
            description: String = ""
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
