import Foundation

extension WhipIt {
    /// A list of posts that the server can show.
    public enum PostList: Sendable, Hashable {
        /// Everybody's posts in this app.
        case feed
        /// One user's posts in this app.
        case user(User.ID)
        /// What the user likes, in any app of the server.
        case liked
        /// Posts with a hashtag, given without its sign, in any app of the server.
        case hashtag(String)

        /// How many posts a page has on the list's screen.
        public var usualPageSize: Int {
            switch self {
            case .feed: 20
            case .user: 30
            case .liked: 100
            case .hashtag: 50
            }
        }

        var path: [String] {
            switch self {
            case .feed: ["post"]
            case .user(let id): ["post", "user", id]
            case .liked: ["post", "like", "me"]
            case .hashtag: ["post", "hashtag"]
            }
        }

        func query(productID: String) -> [URLQueryItem] {
            switch self {
            case .feed, .user: [URLQueryItem(name: "product_id", value: productID)]
            case .liked: []
            case .hashtag(let tag): [URLQueryItem(name: "hashTag", value: tag)]
            }
        }
    }
}
