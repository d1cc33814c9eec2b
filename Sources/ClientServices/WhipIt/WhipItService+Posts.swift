extension WhipItService {
    /// Publishes a post.
    ///
    /// The server adds the words behind `#` in its text as ``WhipItPost/hashTags``. An error that came without an answer
    /// leaves it open whether the post is there; look at the feed before publishing it again.
    ///
    /// - Throws: ``WhipItStatus/invalidRequest`` for a picture that is too large, or for one too many.
    public func publish(_ draft: WhipItPostDraft) async throws(WhipItError) -> WhipItPost {
        try await value(.upload(.post, "post", form: draft.form(productID: productID)))
    }

    /// Changes texts of a post; what is `nil` stays as it is.
    ///
    /// - Throws: ``WhipItStatus/notOwner`` for somebody else's post.
    public func edit(_ postID: WhipItPost.ID, to draft: WhipItPostDraft) async throws(WhipItError) -> WhipItPost {
        try await value(.upload(.put, "post", postID, form: draft.form(productID: productID)))
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

extension Endpoint where Value: Decodable {
    /// A form with pictures, which takes its time on the way.
    static func upload(_ method: HTTPMethod, _ path: String..., form: MultipartBody) -> Endpoint {
        var endpoint: Endpoint = .json(method, body: .multipart(form))
        endpoint.path = path
        endpoint.timeout = 120
        return endpoint
    }
}

private struct DeletedPost: Decodable, Sendable {
    var id: WhipItPost.ID

    enum CodingKeys: String, CodingKey { case id = "_id" }
}
