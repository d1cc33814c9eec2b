import Foundation

extension RunwithUService {
    /// The posts of one list, newest first, page by page.
    ///
    /// - Parameter limit: how many a page has at most; the server gives fewer when it is asked for too many.
    public func posts(in namespace: RunwithU.Namespace, limit: Int = 10) -> Pages<RunwithU.Post> {
        pages { service, cursor in try await service.page(in: namespace, limit: limit, after: cursor) }
    }

    /// One page of a list of posts.
    ///
    /// - Parameter cursor: the last page's ``RunwithU/PostPage/next``; `nil` for the first page.
    public func page(
        in namespace: RunwithU.Namespace,
        limit: Int = 10,
        after cursor: String? = nil
    ) async throws(RunwithUError) -> RunwithU.PostPage {
        try await value(.json(.get, "v1", "posts", query: query(limit, cursor, of: namespace)))
    }

    /// The posts with a hashtag, newest first, page by page.
    ///
    /// - Parameters:
    ///   - hashtag: the word without `#`.
    ///   - namespace: the list to look in; `nil` for all.
    public func posts(
        taggedWith hashtag: String,
        in namespace: RunwithU.Namespace? = nil,
        limit: Int = 10
    ) -> Pages<RunwithU.Post> {
        pages { service, cursor in
            try await service.page(taggedWith: hashtag, in: namespace, limit: limit, after: cursor)
        }
    }

    /// One page of the posts with a hashtag.
    public func page(
        taggedWith hashtag: String,
        in namespace: RunwithU.Namespace? = nil,
        limit: Int = 10,
        after cursor: String? = nil
    ) async throws(RunwithUError) -> RunwithU.PostPage {
        let tag = URLQueryItem(name: "hashTag", value: hashtag)
        return try await value(
            .json(.get, "v1", "posts", "hashtags", query: [tag] + query(limit, cursor, of: namespace))
        )
    }

    /// The posts that the user likes, has joined or has accepted, newest first, page by page.
    public func likedPosts(limit: Int = 10) -> Pages<RunwithU.Post> {
        pages { service, cursor in try await service.pageOfLikedPosts(limit: limit, after: cursor) }
    }

    /// One page of the posts that the user likes.
    public func pageOfLikedPosts(
        limit: Int = 10,
        after cursor: String? = nil
    ) async throws(RunwithUError) -> RunwithU.PostPage {
        try await value(.json(.get, "v1", "posts", "likes", "me", query: query(limit, cursor)))
    }

    /// What somebody has written, newest first, page by page.
    ///
    /// - Parameter namespace: the list to look in; `nil` for all.
    public func posts(
        by userID: RunwithU.Runner.ID,
        in namespace: RunwithU.Namespace? = nil,
        limit: Int = 10
    ) -> Pages<RunwithU.Post> {
        pages { service, cursor in
            try await service.page(by: userID, in: namespace, limit: limit, after: cursor)
        }
    }

    /// One page of what somebody has written.
    public func page(
        by userID: RunwithU.Runner.ID,
        in namespace: RunwithU.Namespace? = nil,
        limit: Int = 10,
        after cursor: String? = nil
    ) async throws(RunwithUError) -> RunwithU.PostPage {
        try await value(.json(.get, "v1", "posts", "users", userID, query: query(limit, cursor, of: namespace)))
    }

    private func pages(
        _ page: @escaping @Sendable (RunwithUService, String?) async throws -> RunwithU.PostPage
    ) -> Pages<RunwithU.Post> {
        Pages { cursor in
            let page = try await page(self, cursor)
            return Page(page.posts, next: page.next)
        }
    }

    private func query(
        _ limit: Int,
        _ cursor: String?,
        of namespace: RunwithU.Namespace? = nil
    ) -> [URLQueryItem] {
        var items: [URLQueryItem] = []
        if let namespace { items.append(URLQueryItem(name: "product_id", value: namespace.rawValue)) }
        items.append(URLQueryItem(name: "limit", value: String(max(1, limit))))
        if let cursor { items.append(URLQueryItem(name: "next", value: cursor)) }
        return items
    }
}
