extension Smeem {
    /// An expression from elsewhere that is worth keeping, as it stands in a list.
    public struct Bookmark: Codable, Sendable, Hashable, Identifiable {
        /// What tells it from other bookmarks.
        public var id: Int64
        /// An image of the page; `nil` for none.
        @Nullable public var thumbnail: WebLink?
        /// The expression; `nil` when none was found.
        @Nullable public var expression: String?
        /// What the page says of itself; `nil` for nothing.
        @Nullable public var description: String?
        /// When it was kept.
        public var createdAt: KoreanTime
        /// What kind of page it is from; `nil` when that is not known.
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
        /// What the expression means in Korean.
        @Nullable public var translation: String?
        /// What the page says of itself; `nil` for nothing.
        @Nullable public var description: String?
        /// What kind of page it is from; `nil` when that is not known.
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
