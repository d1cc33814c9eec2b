import Foundation

extension RunwithUService {
    /// Returns a post.
    ///
    /// - Throws: ``RunwithU/Reason/notFound(message:)`` if the post no longer exists.
    public func post(_ id: RunwithU.Post.ID) async throws(RunwithUError) -> RunwithU.Post {
        try await ask(.json(.get, "v1", "posts", id))
    }

    /// Returns several posts, requesting only a few at a time because the server limits the request rate.
    ///
    /// - Returns: The posts in the order of the given IDs, excluding posts that no longer exist.
    /// - Throws: The error of a request that failed for any reason other than a missing post. A post is omitted only if
    ///   it no longer exists.
    public func posts(withIDs ids: [RunwithU.Post.ID]) async throws(RunwithUError) -> [RunwithU.Post] {
        let results = await withTaskGroup(
            of: (Int, Result<RunwithU.Post?, RunwithUError>).self
        ) { group -> [Int: Result<RunwithU.Post?, RunwithUError>] in
            var results: [Int: Result<RunwithU.Post?, RunwithUError>] = [:]
            var next = 0
            while next < min(Self.mostAtOnce, ids.count) {
                let index = next
                group.addTask { (index, await postIfThere(ids[index])) }
                next += 1
            }
            while let (index, result) = await group.next() {
                results[index] = result
                if case .failure = result { next = ids.count }
                guard next < ids.count else { continue }
                let index = next
                group.addTask { (index, await postIfThere(ids[index])) }
                next += 1
            }
            return results
        }
        var posts: [RunwithU.Post] = []
        for index in ids.indices {
            guard let post = try results[index]?.get() else { continue }
            posts.append(post)
        }
        return posts
    }

    /// The number of posts that are read at a time.
    private static let mostAtOnce = 5

    private func postIfThere(_ id: RunwithU.Post.ID) async -> Result<RunwithU.Post?, RunwithUError> {
        do {
            return .success(try await ask(.json(.get, "v1", "posts", id, retriesWhenBusy: true)))
        } catch {
            if case .refused(.notFound) = error { return .success(nil) }
            return .failure(error)
        }
    }

    /// Creates a post and uploads its files.
    ///
    /// The post is created only if all files are uploaded. Otherwise, the app can retry with the same draft.
    ///
    /// - Parameters:
    ///   - draft: The post's content.
    ///   - attachments: The files for the post, up to five, each with at most ``RunwithU/Attachment/largestSize``
    ///     bytes.
    /// - Throws: ``RunwithU/Reason/incompleteUpload(expected:received:)`` if the server stored fewer files than were
    ///   uploaded, or an error that ``upload(_:)`` throws.
    /// - Returns: The new post.
    @discardableResult
    public func publish(
        _ draft: RunwithU.PostDraft,
        with attachments: [RunwithU.Attachment] = []
    ) async throws(RunwithUError) -> RunwithU.Post {
        var draft = draft
        if !attachments.isEmpty {
            let files = try await upload(attachments)
            guard files.count == attachments.count else {
                throw .refused(.incompleteUpload(expected: attachments.count, received: files.count))
            }
            draft.files = (draft.files ?? []) + files
        }
        return try await ask(.json(.post, "v1", "posts", body: .json(draft)))
    }

    /// Edits one of the user's own posts.
    ///
    /// - Throws: ``RunwithU/Reason/notYours(message:)`` if the post belongs to another user, or
    ///   ``RunwithU/Reason/notFound(message:)`` if the post no longer exists.
    /// - Returns: The updated post.
    @discardableResult
    public func edit(
        _ id: RunwithU.Post.ID,
        _ changes: RunwithU.PostChanges
    ) async throws(RunwithUError) -> RunwithU.Post {
        try await ask(.json(.put, "v1", "posts", id, body: .json(changes)))
    }

    /// Deletes one of the user's own posts.
    ///
    /// - Throws: ``RunwithU/Reason/notYours(message:)`` if the post belongs to another user, or
    ///   ``RunwithU/Reason/notFound(message:)`` if the post no longer exists.
    public func deletePost(_ id: RunwithU.Post.ID) async throws(RunwithUError) {
        try await ask(.command(.delete, "v1", "posts", id))
    }

    /// Adds a comment to a post.
    ///
    /// - Parameters:
    ///   - content: The comment's text.
    /// - Throws: ``RunwithUError/unsendable(_:)`` if the text is blank, or ``RunwithU/Reason/notFound(message:)``
    ///   if the post no longer exists.
    @discardableResult
    public func comment(
        _ content: String,
        on id: RunwithU.Post.ID
    ) async throws(RunwithUError) -> RunwithU.Comment {
        guard content.contains(where: { !$0.isWhitespace }) else { throw .unsendable("the comment is blank") }
        return try await ask(.json(.post, "v1", "posts", id, "comments", body: .json(["content": content])))
    }
}

extension RunwithUService {
    /// Returns the posts in a namespace as pages, newest first.
    ///
    /// - Parameters:
    ///   - pageSize: The maximum number of posts per page. The server may use a smaller limit.
    public func posts(in namespace: RunwithU.Namespace, pageSize: Int = 10) -> Pages<RunwithU.Post> {
        .byCursor { cursor in try await page(in: namespace, after: cursor, size: pageSize) }
    }

    /// Returns one page of posts in a namespace.
    ///
    /// - Parameters:
    ///   - cursor: The previous page's ``CursorPage/next``, or `nil` for the first page.
    public func page(
        in namespace: RunwithU.Namespace,
        after cursor: String? = nil,
        size: Int = 10
    ) async throws(RunwithUError) -> CursorPage<RunwithU.Post> {
        try await ask(.json(.get, "v1", "posts", query: query(size, cursor, of: namespace)))
    }

    /// Returns the posts with a given hashtag as pages, newest first.
    ///
    /// - Parameters:
    ///   - namespace: The namespace to search, or `nil` for all namespaces.
    public func posts(
        taggedWith hashtag: String,
        in namespace: RunwithU.Namespace? = nil,
        pageSize: Int = 10
    ) -> Pages<RunwithU.Post> {
        .byCursor { cursor in try await page(taggedWith: hashtag, in: namespace, after: cursor, size: pageSize) }
    }

    /// Returns one page of posts with a given hashtag.
    ///
    /// - Parameters:
    ///   - namespace: The namespace to search, or `nil` for all namespaces.
    ///   - cursor: The previous page's ``CursorPage/next``, or `nil` for the first page.
    public func page(
        taggedWith hashtag: String,
        in namespace: RunwithU.Namespace? = nil,
        after cursor: String? = nil,
        size: Int = 10
    ) async throws(RunwithUError) -> CursorPage<RunwithU.Post> {
        let tag = URLQueryItem(name: "hashTag", value: hashtag)
        return try await ask(
            .json(.get, "v1", "posts", "hashtags", query: [tag] + query(size, cursor, of: namespace))
        )
    }

    /// Returns pages of the posts that the user has liked, joined or accepted, newest first.
    public func likedPosts(pageSize: Int = 10) -> Pages<RunwithU.Post> {
        .byCursor { cursor in try await pageOfLikedPosts(after: cursor, size: pageSize) }
    }

    /// Returns one page of the posts that the user has liked.
    ///
    /// - Parameters:
    ///   - cursor: The previous page's ``CursorPage/next``, or `nil` for the first page.
    public func pageOfLikedPosts(
        after cursor: String? = nil,
        size: Int = 10
    ) async throws(RunwithUError) -> CursorPage<RunwithU.Post> {
        try await ask(.json(.get, "v1", "posts", "likes", "me", query: query(size, cursor)))
    }

    /// Returns a user's posts as pages, newest first.
    ///
    /// - Parameters:
    ///   - namespace: The namespace to search, or `nil` for all namespaces.
    public func posts(
        by userID: RunwithU.Runner.ID,
        in namespace: RunwithU.Namespace? = nil,
        pageSize: Int = 10
    ) -> Pages<RunwithU.Post> {
        .byCursor { cursor in try await page(by: userID, in: namespace, after: cursor, size: pageSize) }
    }

    /// Returns one page of a user's posts.
    ///
    /// - Parameters:
    ///   - namespace: The namespace to search, or `nil` for all namespaces.
    ///   - cursor: The previous page's ``CursorPage/next``, or `nil` for the first page.
    public func page(
        by userID: RunwithU.Runner.ID,
        in namespace: RunwithU.Namespace? = nil,
        after cursor: String? = nil,
        size: Int = 10
    ) async throws(RunwithUError) -> CursorPage<RunwithU.Post> {
        try await ask(.json(.get, "v1", "posts", "users", userID, query: query(size, cursor, of: namespace)))
    }

    private func query(
        _ size: Int,
        _ cursor: String?,
        of namespace: RunwithU.Namespace? = nil
    ) -> [URLQueryItem] {
        var items: [URLQueryItem] = []
        if let namespace { items.append(URLQueryItem(name: "product_id", value: namespace.rawValue)) }
        items.append(URLQueryItem(name: "limit", value: String(max(1, size))))
        if let cursor { items.append(URLQueryItem(name: "next", value: cursor)) }
        return items
    }
}
