extension Smeem {
    /// What came of keeping the expression of a page.
    public struct NewBookmark: Codable, Sendable, Hashable {
        /// What the page is.
        public var page: Page
        /// The expression that was found.
        ///
        /// `nil` once ten were looked for today: nothing was kept then, and the user may type one.
        @Nullable public var expression: String?
        /// What the expression means in Korean.
        @Nullable public var translation: String?
        /// How many expressions were looked for today.
        public var lookedForToday: Int

        /// What a page is.
        public struct Page: Codable, Sendable, Hashable {
            /// An image of it; `nil` for none.
            @Nullable public var thumbnail: WebLink?
            /// Its address.
            public var url: String
            /// What it says of itself; `nil` for nothing.
            @Nullable public var description: String?
            /// What kind of page it is; `nil` when that is not known.
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
