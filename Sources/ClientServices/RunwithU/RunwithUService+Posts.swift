import Foundation

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

    /// What somebody has written, newest first, page by page.
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

    /// One page of what somebody has written.
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
