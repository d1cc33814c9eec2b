extension SmeemService {
    /// The member's bookmarks.
    public func bookmarks() async throws(SmeemError) -> [Smeem.Bookmark] {
        try await ask(Endpoint<Smeem.Bookmarks>.smeemData(.get, "bookmarks")).bookmarks
    }

    /// A bookmark with all that belongs to it; `nil` when it is somebody else's.
    public func bookmark(_ id: Smeem.Bookmark.ID) async throws(SmeemError) -> Smeem.BookmarkDetail? {
        try await ask(Endpoint<Smeem.BookmarkDetail?>.smeemData(.get, "bookmarks", "detail", "\(id)"))
    }

    /// Keeps the expression of a page.
    ///
    /// - Parameter page: the page's address.
    public func addBookmark(of page: String) async throws(SmeemError) -> Smeem.NewBookmark {
        try await ask(.smeemData(.post, "bookmarks", body: .json(["url": page])))
    }

    /// Keeps an expression that the user has typed.
    public func addBookmark(_ bookmark: Smeem.TypedBookmark) async throws(SmeemError) -> Smeem.NewBookmark {
        try await ask(.smeemData(.post, "bookmarks", "fallback", body: .json(bookmark)))
    }

    /// Changes the texts of a bookmark.
    ///
    /// - Parameters:
    ///   - id: the bookmark.
    ///   - change: what is to be otherwise.
    /// - Returns: the texts as they are now.
    @discardableResult
    public func changeBookmark(_ id: Smeem.Bookmark.ID, _ change: Smeem.BookmarkChange) async throws(SmeemError)
        -> Smeem.BookmarkTexts
    {
        try await ask(.smeemData(.patch, "bookmarks", "\(id)", body: .json(change)))
    }

    /// Deletes a bookmark.
    public func deleteBookmark(_ id: Smeem.Bookmark.ID) async throws(SmeemError) {
        try await ask(.smeemDone(.delete, "bookmarks", "\(id)"))
    }
}
