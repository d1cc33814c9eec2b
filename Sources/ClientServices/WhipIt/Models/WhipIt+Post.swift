extension WhipIt {
    /// What somebody wears.
    ///
    /// The server is shared by several apps, and posts of all of them come in ``WhipIt/PostList/liked`` and
    /// ``WhipIt/PostList/hashtag(_:)``; what an app did not send with a post is absent.
    public struct Post: Codable, Sendable, Hashable, Identifiable {
        /// The server's identifier, 24 hexadecimal digits.
        public let id: String
        /// Who published it.
        public var creator: User
        /// When it was published.
        public var time: Moment
        /// The name of the app that it was published with.
        public var productID: String?
        /// A title, which WhipIt's own posts do not have.
        public var title: String?
        /// What its author says.
        public var text: String?
        /// The picture's width by its height as WhipIt stores it, such as `0.75`; see ``pictureRatio``.
        public var content1: String?
        /// Free for other apps.
        public var content2: String?
        /// Free for other apps.
        public var content3: String?
        /// Free for other apps.
        public var content4: String?
        /// Free for other apps.
        public var content5: String?
        /// The identifiers of the users who like it.
        public var likes: [User.ID]
        /// Paths for ``WhipItService/picture(at:)``.
        public var pictures: [String]
        /// The words behind `#` in its text, without the sign.
        public var hashTags: [String]
        /// What others say.
        public var comments: [Comment]

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case creator
            case time
            case productID = "product_id"
            case title
            case text = "content"
            case content1
            case content2
            case content3
            case content4
            case content5
            case likes
            case pictures = "image"
            case hashTags
            case comments
        }
    }
}

extension WhipIt.Post {
    /// The picture's width by its height; `nil` when it was published without, so that a screen has one of its own.
    public var pictureRatio: Double? {
        content1.flatMap(Double.init).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
}
