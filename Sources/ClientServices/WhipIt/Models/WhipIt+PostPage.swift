extension WhipIt {
    /// Some posts of a list, newest first.
    ///
    /// What the server always sends with a post is wanted of each: a page with one that lacks it is refused, because the
    /// server and the app then no longer mean the same. What it may leave out may be absent.
    public struct PostPage: Codable, Sendable, Hashable {
        /// The posts of this page.
        public var posts: [Post]
        /// What to ask with for the next page; `nil` at the end.
        public var next: String?

        /// The server's word for the beginning in a request, and for the end in an answer.
        static let edge = "0"

        /// Makes a page.
        public init(_ posts: [Post], next: String?) {
            self.posts = posts
            self.next = next
        }

        /// Reads a page as the server sends it.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            posts = try container.decode([Post].self, forKey: .posts)
            let cursor = try container.decode(String.self, forKey: .next)
            next = cursor == Self.edge || cursor.isEmpty ? nil : cursor
        }

        /// Writes a page as the server sends it.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(posts, forKey: .posts)
            try container.encode(next ?? Self.edge, forKey: .next)
        }

        enum CodingKeys: String, CodingKey {
            case posts = "data"
            case next = "next_cursor"
        }
    }
}
