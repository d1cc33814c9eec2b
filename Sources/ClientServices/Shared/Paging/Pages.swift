/// A list of pages, each fetched on demand.
///
/// An element that was there already is left out, because lists move while they are read; a cursor that was there
/// already ends the list, for otherwise it would never end.
public struct Pages<Item: Identifiable & Sendable>: AsyncSequence, Sendable where Item.ID: Sendable {
    /// A page's items that were in none before it.
    public typealias Element = [Item]

    private let first: String?
    private let rewound: (@Sendable (_ cursor: String, _ removed: Int) -> String)?
    private let fetch: @Sendable (String?) async throws -> Page<Item>

    /// - Parameters:
    ///   - first: what to ask with for the first page.
    ///   - rewound: the cursor to continue from when this number of items before it was removed from the list; `nil`
    ///     when that moves no cursor.
    ///   - fetch: asks for a page.
    init(
        from first: String? = nil,
        rewound: (@Sendable (_ cursor: String, _ removed: Int) -> String)? = nil,
        fetch: @escaping @Sendable (String?) async throws -> Page<Item>
    ) {
        self.first = first
        self.rewound = rewound
        self.fetch = fetch
    }

    /// Begins at the first page again.
    public func makeAsyncIterator() -> Iterator {
        Iterator(of: self)
    }

    /// A place in the list.
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

        /// Goes back to where nothing is missed of a list that has lost items; does nothing where none can be.
        mutating func rewind(afterRemoving removed: Int) {
            guard removed > 0, let cursor, let target = pages.rewound?(cursor, removed), target != cursor else {
                return
            }
            self.cursor = target
            asked = []
            isAtEnd = false
        }

        /// The next page's new elements; after an error the same page is asked for again.
        public mutating func next() async throws -> [Item]? {
            guard !isAtEnd else { return nil }
            let page = try await pages.fetch(cursor)
            if let cursor { asked.insert(cursor) }
            if let next = page.next, !asked.contains(next) { cursor = next } else { isAtEnd = true }
            return page.elements.filter { seen.insert($0.id).inserted }
        }
    }
}

/// Some of a list, and where the rest begins.
public struct Page<Element: Sendable>: Sendable {
    /// The elements of this page, in the server's order.
    public var elements: [Element]

    /// The cursor of the next page; `nil` at the end.
    public var next: String?

    /// A page with the server's cursor of the next one.
    ///
    /// - Parameters:
    ///   - elements: the elements of the page.
    ///   - next: what to ask with for the next page; `nil` at the end.
    public init(_ elements: [Element], next: String?) {
        self.elements = elements
        self.next = next
    }
}

/// Some of a list, as servers with cursors send it.
///
/// What the server always sends with an element is required of each: a page with one that lacks it is refused, because
/// the server and the app then no longer mean the same. What it may leave out may be absent.
public struct CursorPage<Element: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
    /// The elements of this page, in the server's order.
    public var elements: [Element]
    /// The server's word for the next page; `"0"` at the end.
    public var cursor: String

    /// The cursor of the next page; `nil` at the end.
    public var next: String? { cursor == Self.edge || cursor.isEmpty ? nil : cursor }

    /// The server's word for the end of a list, and for its beginning where it requires one.
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

/// A list on a screen that grows as its user scrolls.
///
/// However many scroll events come together, each page is fetched once.
public actor PagedList<Item: Identifiable & Sendable> where Item.ID: Sendable {
    /// All that has come so far, each item once.
    public private(set) var items: [Item] = []
    /// A Boolean value that indicates whether the last page has been loaded.
    public private(set) var isComplete = false
    private var iterator: Pages<Item>.Iterator
    /// The number of items that were taken out of the list since the iterator last knew.
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
        // What is fetched again is nothing new to the user who scrolls.
        while settled > 0, fresh.isEmpty, !iterator.isAtEnd { fresh = try await iterator.next() ?? [] }
        items += fresh
        removed -= settled
        isComplete = iterator.isAtEnd && removed == 0
        self.iterator = iterator
    }
}
