/// A sequence of pages that are fetched on demand.
///
/// Elements that also appear on earlier pages are omitted, because a list can change between requests. A repeated
/// cursor ends the sequence, which would otherwise be infinite.
public struct Pages<Item: Identifiable & Sendable>: AsyncSequence, Sendable where Item.ID: Sendable {
    /// The items on a page, excluding items that also appear on earlier pages.
    public typealias Element = [Item]

    private let first: String?
    private let rewound: (@Sendable (_ cursor: String, _ removed: Int) -> String)?
    private let fetch: @Sendable (String?) async throws -> Page<Item>

    /// - Parameters:
    ///   - first: The cursor of the first page.
    ///   - rewound: Returns the cursor to continue from after a number of earlier items were removed from the list, or
    ///     `nil` if removals do not affect cursors.
    ///   - fetch: Requests a page.
    init(
        from first: String? = nil,
        rewound: (@Sendable (_ cursor: String, _ removed: Int) -> String)? = nil,
        fetch: @escaping @Sendable (String?) async throws -> Page<Item>
    ) {
        self.first = first
        self.rewound = rewound
        self.fetch = fetch
    }

    /// Returns an iterator that starts at the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(of: self)
    }

    /// A position in the sequence of pages.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let pages: Pages
        private var cursor: String?
        private var seen: Set<Item.ID> = []
        private var asked: Set<String> = []
        fileprivate(set) var isAtEnd = false

        fileprivate init(of pages: Pages) {
            self.pages = pages
            cursor = pages.first
        }

        /// Moves back after items were removed from the list, so that no later item is skipped.
        mutating func rewind(afterRemoving removed: Int) {
            guard removed > 0, let cursor, let target = pages.rewound?(cursor, removed), target != cursor else {
                return
            }
            self.cursor = target
            asked = []
            isAtEnd = false
        }

        /// Returns the new elements of the next page.
        ///
        /// After an error, the next call requests the same page again.
        public mutating func next() async throws -> [Item]? {
            guard !isAtEnd else { return nil }
            let page = try await pages.fetch(cursor)
            if let cursor { asked.insert(cursor) }
            if let next = page.next, !asked.contains(next) { cursor = next } else { isAtEnd = true }
            return page.elements.filter { seen.insert($0.id).inserted }
        }
    }
}

/// A part of a list and the cursor for the next part.
public struct Page<Element: Sendable>: Sendable {
    /// The elements of this page, in the server's order.
    public var elements: [Element]

    /// The cursor for the next page, or `nil` at the end of the list.
    public var next: String?

    /// Creates a page with the cursor for the next page.
    ///
    /// - Parameters:
    ///   - elements: The elements of the page.
    ///   - next: The cursor for the next page, or `nil` at the end of the list.
    public init(_ elements: [Element], next: String?) {
        self.elements = elements
        self.next = next
    }
}

/// A page of a cursor-based list, in the server's format.
///
/// Every element must contain all properties that the server always sends. If an element lacks one of these properties,
/// decoding the page fails, because the server's format has changed. Optional properties can be absent.
public struct CursorPage<Element: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
    /// The elements of this page, in the server's order.
    public var elements: [Element]
    /// The server's cursor for the next page, or `"0"` at the end of the list.
    public var cursor: String

    /// The cursor for the next page, or `nil` at the end of the list.
    public var next: String? { cursor == Self.edge || cursor.isEmpty ? nil : cursor }

    /// The server's cursor for the end of a list, which also represents the beginning if the server requires a cursor.
    static var edge: String { "0" }

    enum CodingKeys: String, CodingKey {
        case elements = "data"
        case cursor = "next_cursor"
    }
}

extension Pages where Item: Codable & Hashable {
    /// A list of a server with cursors.
    static func byCursor(_ fetch: @escaping @Sendable (_ cursor: String?) async throws -> CursorPage<Item>) -> Pages {
        Pages { cursor in
            let page = try await fetch(cursor)
            return Page(page.elements, next: page.next)
        }
    }
}

/// A list that loads more items as the user scrolls.
///
/// Each page is fetched only once, even if several scroll events occur at the same time.
public actor PagedList<Item: Identifiable & Sendable> where Item.ID: Sendable {
    /// All items that have been loaded so far, without duplicates.
    public private(set) var items: [Item] = []
    /// A Boolean value that indicates whether the last page has been loaded.
    public private(set) var isComplete = false
    private var iterator: Pages<Item>.Iterator
    /// The number of items that were taken out of the list since the iterator last knew.
    private var removed = 0
    private var loading: Task<Void, any Error>?

    /// Creates an empty list, which does not load items until ``loadMore()`` is called.
    ///
    /// - Parameter pages: The pages from which items are loaded.
    public init(_ pages: Pages<Item>) {
        iterator = pages.makeAsyncIterator()
    }

    /// Loads the next page, unless the page is already being loaded or the list is complete.
    ///
    /// - Throws: The error from the request. The next call requests the same page again.
    public func loadMore() async throws {
        guard !isComplete else { return }
        let task = loading ?? Task { try await load() }
        loading = task
        try await task.value
    }

    /// Removes an item that the server's list no longer contains, for example after a bookmark was removed.
    ///
    /// Because the later items on the server have moved up, the next request starts at an adjusted position, so no item
    /// is skipped.
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
        // What is fetched again is nothing new to the user who scrolls.
        while settled > 0, fresh.isEmpty, !iterator.isAtEnd { fresh = try await iterator.next() ?? [] }
        items += fresh
        removed -= settled
        isComplete = iterator.isAtEnd && removed == 0
        self.iterator = iterator
    }
}
