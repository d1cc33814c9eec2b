extension WhipItService {
    /// Publishes a post.
    ///
    /// The server adds the words behind `#` in its text as ``WhipItPost/hashTags``. An error that came without an answer
    /// leaves it open whether the post is there; look at the feed before publishing it again.
    ///
    /// - Throws: ``WhipItStatus/invalidRequest`` for a picture that is too large, or for one too many.
    public func publish(_ draft: WhipItPostDraft) async throws(WhipItError) -> WhipItPost {
        try await value(.json(.post, "post", body: .multipart(draft.form(productID: productID))))
    }

    /// Changes texts of a post; what is `nil` stays as it is.
    ///
    /// - Throws: ``WhipItStatus/notOwner`` for somebody else's post.
    public func edit(_ postID: WhipItPost.ID, _ draft: WhipItPostDraft) async throws(WhipItError) -> WhipItPost {
        try await value(.json(.put, "post", postID, body: .multipart(draft.form(productID: productID))))
    }

    /// Shows a post.
    ///
    /// - Throws: ``WhipItStatus/notFound`` when it is gone.
    public func post(_ postID: WhipItPost.ID) async throws(WhipItError) -> WhipItPost {
        try await value(.json(.get, "post", postID))
    }

    /// Deletes a post.
    ///
    /// - Throws: ``WhipItStatus/notOwner`` for somebody else's post, ``WhipItStatus/notFound`` when it is gone already.
    /// - Returns: the identifier of the post that is gone.
    @discardableResult
    public func deletePost(_ postID: WhipItPost.ID) async throws(WhipItError) -> WhipItPost.ID {
        let deleted: DeletedPost = try await value(.json(.delete, "post", postID))
        return deleted.id
    }
}

private struct DeletedPost: Decodable, Sendable {
    var id: WhipItPost.ID

    enum CodingKeys: String, CodingKey { case id = "_id" }
}
