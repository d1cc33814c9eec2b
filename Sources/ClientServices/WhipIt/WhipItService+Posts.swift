extension WhipItService {
    /// Publishes a post.
    ///
    /// The server adds the words behind `#` in its text as ``WhipIt/Post/hashTags``. An error that came without an answer
    /// leaves it open whether the post is there; look at the feed before publishing it again.
    ///
    /// - Throws: ``WhipIt/Status/invalidRequest`` for a picture that is too large, or for one too many.
    public func publish(_ draft: WhipIt.PostDraft) async throws(WhipItError) -> WhipIt.Post {
        try await ask(.upload(.post, "post", form: draft.form(productID: productID)))
    }

    /// Changes texts of a post; what is `nil` stays as it is.
    ///
    /// - Parameters:
    ///   - postID: the post.
    ///   - draft: what is to be otherwise.
    /// - Throws: ``WhipIt/Status/notOwner`` for somebody else's post.
    public func edit(_ postID: WhipIt.Post.ID, to draft: WhipIt.PostDraft) async throws(WhipItError) -> WhipIt.Post {
        try await ask(.upload(.put, "post", postID, form: draft.form(productID: productID)))
    }

    /// Shows a post.
    ///
    /// - Throws: ``WhipIt/Status/notFound`` when it is gone.
    public func post(_ postID: WhipIt.Post.ID) async throws(WhipItError) -> WhipIt.Post {
        try await ask(.json(.get, "post", postID))
    }

    /// Deletes a post.
    ///
    /// - Throws: ``WhipIt/Status/notOwner`` for somebody else's post, ``WhipIt/Status/notFound`` when it is gone already.
    /// - Returns: the identifier of the post that is gone.
    @discardableResult
    public func deletePost(_ postID: WhipIt.Post.ID) async throws(WhipItError) -> WhipIt.Post.ID {
        let deleted: DeletedPost = try await ask(.json(.delete, "post", postID))
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
    var id: WhipIt.Post.ID

    enum CodingKeys: String, CodingKey { case id = "_id" }
}
