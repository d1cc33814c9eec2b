import Foundation

extension RunwithUService {
    /// Reads one post.
    ///
    /// - Throws: ``RunwithUError/notFound(message:)`` when it is gone.
    public func post(_ id: RunwithU.Post.ID) async throws(RunwithUError) -> RunwithU.Post {
        try await ask(.json(.get, "v1", "posts", id))
    }

    /// Reads many posts, a few at a time, because the server refuses too many calls at once.
    ///
    /// - Returns: the posts in the order of their ids, without those that are gone.
    /// - Throws: what one of them threw otherwise; none is left out for that.
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
            if case .notFound = error { return .success(nil) }
            return .failure(error)
        }
    }

    /// Writes a post, with its files if it has any.
    ///
    /// Without all of its files the post is not written, so that the draft is still there.
    ///
    /// - Parameters:
    ///   - draft: the post.
    ///   - attachments: its files, five at most, each of at most ``RunwithU/Attachment/largestSize`` bytes.
    /// - Throws: ``RunwithUError/incompleteUpload(expected:received:)`` when the server has kept fewer files than it was
    ///   given, and what ``upload(_:)`` throws.
    /// - Returns: the post as the server has it.
    @discardableResult
    public func publish(
        _ draft: RunwithU.PostDraft,
        with attachments: [RunwithU.Attachment] = []
    ) async throws(RunwithUError) -> RunwithU.Post {
        var draft = draft
        if !attachments.isEmpty {
            let files = try await upload(attachments)
            guard files.count == attachments.count else {
                throw .incompleteUpload(expected: attachments.count, received: files.count)
            }
            draft.files = (draft.files ?? []) + files
        }
        return try await ask(.json(.post, "v1", "posts", body: .json(draft)))
    }

    /// Changes one of the user's own posts.
    ///
    /// - Parameters:
    ///   - id: the post.
    ///   - changes: what is to be otherwise.
    /// - Throws: ``RunwithUError/notYours(message:)`` for another user's post, ``RunwithUError/notFound(message:)``
    ///   when it is gone.
    /// - Returns: the post after the change.
    @discardableResult
    public func edit(
        _ id: RunwithU.Post.ID,
        _ changes: RunwithU.PostChanges
    ) async throws(RunwithUError) -> RunwithU.Post {
        try await ask(.json(.put, "v1", "posts", id, body: .json(changes)))
    }

    /// Deletes one of the user's own posts.
    ///
    /// - Throws: ``RunwithUError/notYours(message:)`` for another user's post, ``RunwithUError/notFound(message:)``
    ///   when it is gone already.
    public func deletePost(_ id: RunwithU.Post.ID) async throws(RunwithUError) {
        try await ask(.command(.delete, "v1", "posts", id))
    }

    /// Says something about a post.
    ///
    /// - Parameters:
    ///   - content: the text of the comment.
    ///   - id: the post.
    /// - Throws: ``RunwithUError/unsendable(_:)`` for blanks alone, ``RunwithUError/notFound(message:)`` when the post is
    ///   gone.
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
    /// The posts of one list, newest first, page by page.
    ///
    /// - Parameters:
    ///   - namespace: the list.
    ///   - pageSize: how many a page has at most; the server gives fewer when it is asked for too many.
    public func posts(in namespace: RunwithU.Namespace, pageSize: Int = 10) -> Pages<RunwithU.Post> {
        .byCursor { cursor in try await page(in: namespace, after: cursor, size: pageSize) }
    }

    /// One page of a list of posts.
    ///
    /// - Parameters:
    ///   - namespace: the list.
    ///   - cursor: ``CursorPage/next`` of the page before; `nil` for the first page.
    ///   - size: how many it has at most.
    public func page(
        in namespace: RunwithU.Namespace,
        after cursor: String? = nil,
        size: Int = 10
    ) async throws(RunwithUError) -> CursorPage<RunwithU.Post> {
        try await ask(.json(.get, "v1", "posts", query: query(size, cursor, of: namespace)))
    }

    /// The posts with a hashtag, newest first, page by page.
    ///
    /// - Parameters:
    ///   - hashtag: the word without `#`.
    ///   - namespace: the list to look in; `nil` for all.
    ///   - pageSize: how many a page has at most.
    public func posts(
        taggedWith hashtag: String,
        in namespace: RunwithU.Namespace? = nil,
        pageSize: Int = 10
    ) -> Pages<RunwithU.Post> {
        .byCursor { cursor in try await page(taggedWith: hashtag, in: namespace, after: cursor, size: pageSize) }
    }

    /// One page of the posts with a hashtag.
    ///
    /// - Parameters:
    ///   - hashtag: the word without `#`.
    ///   - namespace: the list to look in; `nil` for all.
    ///   - cursor: ``CursorPage/next`` of the page before; `nil` for the first page.
    ///   - size: how many it has at most.
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

    /// The posts that the user likes, has joined or has accepted, newest first, page by page.
    ///
    /// - Parameter pageSize: how many a page has at most.
    public func likedPosts(pageSize: Int = 10) -> Pages<RunwithU.Post> {
        .byCursor { cursor in try await pageOfLikedPosts(after: cursor, size: pageSize) }
    }

    /// One page of the posts that the user likes.
    ///
    /// - Parameters:
    ///   - cursor: ``CursorPage/next`` of the page before; `nil` for the first page.
    ///   - size: how many it has at most.
    public func pageOfLikedPosts(
        after cursor: String? = nil,
        size: Int = 10
    ) async throws(RunwithUError) -> CursorPage<RunwithU.Post> {
        try await ask(.json(.get, "v1", "posts", "likes", "me", query: query(size, cursor)))
    }

    /// The posts of a user, newest first, page by page.
    ///
    /// - Parameters:
    ///   - userID: who has written it.
    ///   - namespace: the list to look in; `nil` for all.
    ///   - pageSize: how many a page has at most.
    public func posts(
        by userID: RunwithU.Runner.ID,
        in namespace: RunwithU.Namespace? = nil,
        pageSize: Int = 10
    ) -> Pages<RunwithU.Post> {
        .byCursor { cursor in try await page(by: userID, in: namespace, after: cursor, size: pageSize) }
    }

    /// One page of what a user has written.
    ///
    /// - Parameters:
    ///   - userID: who has written it.
    ///   - namespace: the list to look in; `nil` for all.
    ///   - cursor: ``CursorPage/next`` of the page before; `nil` for the first page.
    ///   - size: how many it has at most.
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
