/// A list on a screen that grows as its user scrolls.
///
/// However many scroll events come together, each page is fetched once.
public actor PagedList<Item: Identifiable & Sendable> where Item.ID: Sendable {
    /// All that has come so far, each item once.
    public private(set) var items: [Item] = []
    /// Whether the last page is there.
    public private(set) var isComplete = false
    private var iterator: Pages<Item>.Iterator
    private var loading: Task<Void, any Error>?

    /// An empty list; nothing is fetched before it is asked for.
    public init(_ pages: Pages<Item>) {
        iterator = pages.makeAsyncIterator()
    }

    /// Fetches the next page, unless it is on its way or there is none.
    ///
    /// - Throws: what fetching it threw; the next call asks for the same page again.
    public func loadMore() async throws {
        guard !isComplete else { return }
        let task = loading ?? Task { try await load() }
        loading = task
        try await task.value
    }

    private func load() async throws {
        defer { loading = nil }
        var iterator = iterator
        if let page = try await iterator.next() { items += page }
        isComplete = iterator.isAtEnd
        self.iterator = iterator
    }
}
