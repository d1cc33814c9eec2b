extension WhipIt {
    /// What somebody says of a post.
    public struct Comment: Codable, Sendable, Hashable, Identifiable {
        /// The server's identifier, 24 hexadecimal digits.
        public let id: String
        /// What is said.
        public var text: String
        /// When it was said.
        public var time: Moment
        /// Who said it; `nil` when that user has withdrawn.
        public var creator: User?

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case text = "content"
            case time
            case creator
        }
    }

    /// A comment that is gone.
    public struct DeletedComment: Codable, Sendable, Hashable {
        /// The post below which it stood.
        public var postID: Post.ID
        /// The comment itself.
        public var commentID: Comment.ID
    }
}
