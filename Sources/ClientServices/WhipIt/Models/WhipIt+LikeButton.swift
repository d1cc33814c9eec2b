import Foundation

extension WhipIt {
    /// The heart below a post.
    ///
    /// Two taps in quick succession are one, and so is a tap while the answer to another is on its way.
    public actor LikeButton {
        /// Whether the heart is filled: what the server said last.
        public private(set) var isLiked: Bool
        private let service: WhipItService
        private let postID: Post.ID
        private let userID: User.ID
        private var lastTap: Date?
        private var isSending = false

        /// Taps that follow each other faster than this, in seconds, are one.
        private static let shortestGap: TimeInterval = 0.3

        /// Makes the heart below a post.
        ///
        /// - Parameters:
        ///   - service: sends what is tapped.
        ///   - post: the post as it is shown.
        ///   - userID: the user who is signed in.
        public init(_ service: WhipItService, post: Post, userID: User.ID) {
            self.service = service
            self.postID = post.id
            self.userID = userID
            isLiked = post.likes.contains(userID)
        }

        /// Likes the post, or takes the like back; a tap within 0.3 seconds of another does nothing.
        ///
        /// - Throws: what kept the server from it; the heart stays as it was.
        /// - Returns: whether the heart is filled now.
        @discardableResult
        public func tap() async throws(WhipItError) -> Bool {
            let now = service.client.clock.now
            let isDoubleTap = lastTap.map { now.timeIntervalSince($0) < Self.shortestGap } ?? false
            guard !isSending, !isDoubleTap else { return isLiked }
            lastTap = now
            isSending = true
            defer { isSending = false }
            isLiked = try await service.setLike(!isLiked, of: postID, by: userID)
            return isLiked
        }
    }
}
