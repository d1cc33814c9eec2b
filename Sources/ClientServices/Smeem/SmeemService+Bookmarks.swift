extension SmeemService {
    /// The member's bookmarks.
    public func bookmarks() async throws(SmeemError) -> [Bookmark] {
        try await ask(Endpoint<Bookmarks>.data(.get, "bookmarks")).bookmarks
    }

    /// A bookmark with all that belongs to it; `nil` when it is somebody else's.
    public func bookmark(_ id: Bookmark.ID) async throws(SmeemError) -> BookmarkDetail? {
        try await ask(Endpoint<BookmarkDetail?>.data(.get, "bookmarks", "detail", "\(id)"))
    }

    /// Keeps the expression of a page.
    ///
    /// - Parameter page: the page's address.
    public func addBookmark(of page: String) async throws(SmeemError) -> NewBookmark {
        try await ask(.data(.post, "bookmarks", body: .json(["url": page])))
    }

    /// Keeps an expression that the user has typed.
    public func addBookmark(_ bookmark: TypedBookmark) async throws(SmeemError) -> NewBookmark {
        try await ask(.data(.post, "bookmarks", "fallback", body: .json(bookmark)))
    }

    /// Changes the texts of a bookmark.
    ///
    /// - Returns: the texts as they are now.
    @discardableResult
    public func changeBookmark(_ id: Bookmark.ID, _ change: BookmarkChange) async throws(SmeemError) -> BookmarkTexts {
        try await ask(.data(.patch, "bookmarks", "\(id)", body: .json(change)))
    }

    /// Deletes a bookmark.
    public func deleteBookmark(_ id: Bookmark.ID) async throws(SmeemError) {
        try await ask(.done(.delete, "bookmarks", "\(id)"))
    }
}
