extension Smeem {
    /// What kind of page a bookmark was made of.
    ///
    /// The server may come to know others than these.
    public struct ScrapType: RawRepresentable, Codable, Sendable, Hashable {
        /// The server's name of it.
        public let rawValue: String

        /// A kind by the server's name of it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A short film.
        public static let reels = ScrapType(rawValue: "REELS")
        /// A post.
        public static let post = ScrapType(rawValue: "POST")
    }
}
