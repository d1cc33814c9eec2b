import Foundation

extension WhipItService {
    /// A list of posts, newest first, each page fetched when it is asked for.
    ///
    /// - Parameters:
    ///   - list: which posts.
    ///   - pageSize: how many posts a page has; as many as the list's screen wants, unless told otherwise.
    public func posts(_ list: WhipIt.PostList, pageSize: Int? = nil) -> Pages<WhipIt.Post> {
        .byCursor { cursor in try await page(of: list, after: cursor, size: pageSize) }
    }

    /// One page of a list of posts.
    ///
    /// - Parameters:
    ///   - list: which posts.
    ///   - cursor: ``CursorPage/next`` of the page before; `nil` for the first page.
    ///   - size: how many posts the page has; as many as the list's screen wants, unless told otherwise.
    public func page(
        of list: WhipIt.PostList,
        after cursor: String? = nil,
        size: Int? = nil
    ) async throws(WhipItError) -> CursorPage<WhipIt.Post> {
        let query =
            list.query(productID: productID) + [
                URLQueryItem(name: "limit", value: "\(size ?? list.usualPageSize)"),
                URLQueryItem(name: "next", value: cursor ?? CursorPage<WhipIt.Post>.edge),
            ]
        var endpoint: Endpoint<CursorPage<WhipIt.Post>> = .json(.get, query: query)
        endpoint.path = list.path
        return try await ask(endpoint)
    }
}
