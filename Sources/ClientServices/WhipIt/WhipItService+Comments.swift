extension WhipItService {
    /// Comments on a post.
    ///
    /// - Parameters:
    ///   - text: what the user says.
    ///   - postID: the post.
    /// - Throws: ``WhipIt/Status/notFound`` when the post is gone.
    public func comment(_ text: String, on postID: WhipIt.Post.ID) async throws(WhipItError) -> WhipIt.Comment {
        try await ask(.json(.post, "post", postID, "comment", body: .json(["content": text])))
    }

    /// Deletes a comment.
    ///
    /// - Throws: ``WhipIt/Status/notOwner`` for somebody else's comment, ``WhipIt/Status/notFound`` when it is gone.
    @discardableResult
    public func deleteComment(
        _ commentID: WhipIt.Comment.ID,
        on postID: WhipIt.Post.ID
    ) async throws(WhipItError) -> WhipIt.DeletedComment {
        try await ask(.json(.delete, "post", postID, "comment", commentID))
    }
}
