/// A list on a screen that grows as its user scrolls.
///
/// However many scroll events come together, each page is fetched once.
public actor PagedList<Item: Identifiable & Sendable> where Item.ID: Sendable {
    /// All that has come so far, each item once.
    public private(set) var items: [Item] = []
    /// Whether the last page is there.
    public private(set) var isComplete = false
    private var iterator: Pages<Item>.Iterator
    /// How many items were taken out of the list since the iterator last knew.
    private var removed = 0
    private var loading: Task<Void, any Error>?

    /// An empty list; nothing is fetched before it is asked for.
    ///
    /// - Parameter pages: where its items come from.
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

    /// Takes an item out that the server's list no longer has, such as one whose bookmark is gone.
    ///
    /// What came after it has moved up, so that the next page begins elsewhere; nothing is missed for it.
    public func remove(_ id: Item.ID) {
        guard items.contains(where: { $0.id == id }) else { return }
        items.removeAll { $0.id == id }
        removed += 1
        guard isComplete else { return }
        var moved = iterator
        moved.rewind(afterRemoving: removed)
        isComplete = moved.isAtEnd
    }

    private func load() async throws {
        defer { loading = nil }
        var iterator = iterator
        let settled = removed
        iterator.rewind(afterRemoving: settled)
        var fresh = try await iterator.next() ?? []
        // What is fetched again is nothing new to whoever scrolls.
        while settled > 0, fresh.isEmpty, !iterator.isAtEnd { fresh = try await iterator.next() ?? [] }
        items += fresh
        removed -= settled
        isComplete = iterator.isAtEnd && removed == 0
        self.iterator = iterator
    }
}
