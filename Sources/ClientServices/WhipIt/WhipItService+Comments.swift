extension WhipItService {
    /// Comments on a post.
    ///
    /// - Throws: ``WhipItStatus/notFound`` when the post is gone.
    public func comment(_ text: String, on postID: WhipItPost.ID) async throws(WhipItError) -> WhipItComment {
        try await value(.json(.post, "post", postID, "comment", body: .json(["content": text])))
    }

    /// Deletes a comment.
    ///
    /// - Throws: ``WhipItStatus/notOwner`` for somebody else's comment, ``WhipItStatus/notFound`` when it is gone.
    @discardableResult
    public func deleteComment(
        _ commentID: WhipItComment.ID,
        on postID: WhipItPost.ID
    ) async throws(WhipItError) -> WhipItDeletedComment {
        try await value(.json(.delete, "post", postID, "comment", commentID))
    }
}
