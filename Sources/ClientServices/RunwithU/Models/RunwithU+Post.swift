extension RunwithU {
    /// A post as the server keeps it, whatever it stands for.
    ///
    /// What its five further texts mean depends on ``namespace`` and ``board``: see ``RunwithU/Group``,
    /// ``RunwithU/Invitation`` and ``RunwithU/Race``, which are posts read as what they are.
    public struct Post: Codable, Sendable, Hashable, Identifiable {
        /// The post's id.
        public var id: String
        /// What the post is; `nil` where its writer has left it out.
        public var namespace: Namespace?
        /// The headline; other apps of the server write posts without one.
        public var title: String?
        /// The text; other apps of the server write posts without one.
        public var content: String?
        /// The first further text: the board, the size of a group, who is invited, or the day of a race.
        public var content1: String?
        /// The second further text: when to run, a brand, what a question is about, a place, or a course.
        public var content2: String?
        /// The third further text: an invitation's id, a kind of product, a group's level, or a fee.
        public var content3: String?
        /// The fourth further text: a rating, or where a race starts.
        public var content4: String?
        /// The fifth further text: where to buy a product.
        public var content5: String?
        /// A price in won.
        public var price: Int?
        /// When it was written.
        public var createdAt: Moment
        /// Who has written it.
        public var creator: Runner
        /// Where its pictures are, for ``RunwithUService/file(at:)``.
        public var files: [String]
        /// The ids of those who like it, have joined it or have accepted it.
        public var likes: [Runner.ID]
        /// The ids of those in the second list of likes.
        public var secondLikes: [Runner.ID]
        /// The ids of those who have paid.
        public var buyers: [Runner.ID]
        /// The words after `#` in the text.
        public var hashtags: [String]
        /// What others say about it, newest first.
        public var comments: [Comment]

        /// Where it is shown in the community; `nil` for what is no community post.
        public var board: Board? { content1.map(Board.init(rawValue:)) }

        private enum CodingKeys: String, CodingKey {
            case id = "post_id"
            case namespace = "product_id"
            case title
            case content
            case content1
            case content2
            case content3
            case content4
            case content5
            case price
            case createdAt
            case creator
            case files
            case likes
            case secondLikes = "likes2"
            case buyers
            case hashtags = "hashTags"
            case comments
        }
    }

    /// What somebody says about a post.
    public struct Comment: Codable, Sendable, Hashable, Identifiable {
        /// The comment's id.
        public var id: String
        /// The text.
        public var content: String
        /// When it was written.
        public var createdAt: Moment
        /// Who has written it.
        public var creator: Runner

        private enum CodingKeys: String, CodingKey {
            case id = "comment_id"
            case content
            case createdAt
            case creator
        }
    }
}
