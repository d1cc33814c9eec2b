extension WhipItService {
    /// Turns the user's like of a post round: a second call takes the first one back.
    ///
    /// Use ``setLike(_:of:by:)`` or a ``WhipIt/LikeButton`` where an answer may be lost, which is everywhere but in a test.
    ///
    /// - Parameter postID: the post.
    /// - Throws: ``WhipIt/Status/notFound`` when the post is gone.
    /// - Returns: whether the user likes the post now.
    public func toggleLike(of postID: WhipIt.Post.ID) async throws(WhipItError) -> Bool {
        try await ask(toggle(postID)).isLiked
    }

    /// Makes the user like a post, or not, without ever taking back by accident what is done already.
    ///
    /// The server knows nothing but a toggle. When its answer is lost, or says that the token has expired although the
    /// toggle may be done, the post is looked at before anything is sent again.
    ///
    /// - Parameters:
    ///   - isLiked: what the user wants.
    ///   - postID: the post.
    ///   - userID: the user who is signed in.
    /// - Throws: ``WhipIt/Status/notFound`` when the post is gone.
    /// - Returns: whether the user likes the post now.
    @discardableResult
    public func setLike(
        _ isLiked: Bool,
        of postID: WhipIt.Post.ID,
        by userID: WhipIt.User.ID
    ) async throws(WhipItError) -> Bool {
        var first = toggle(postID)
        first.isSentAgain = false
        do throws(WhipItError) {
            // Whoever has liked the post on another device has just taken that back.
            if try await ask(first).isLiked == isLiked { return isLiked }
        } catch {
            guard error.leavesDoubt || error.status == .accessTokenExpired else { throw error }
            if try await post(postID).likes.contains(userID) == isLiked { return isLiked }
        }
        return try await toggleLike(of: postID)
    }

    private func toggle(_ postID: WhipIt.Post.ID) -> Endpoint<LikeState> {
        .json(.post, "post", "like", postID)
    }
}

private struct LikeState: Decodable, Sendable {
    var isLiked: Bool

    enum CodingKeys: String, CodingKey { case isLiked = "like_status" }
}
