/// A list that comes page by page, each fetched when it is asked for.
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
    ///   - rewound: where to go on when so many items before the cursor have been taken out of the list; `nil` when
    ///     that moves no cursor.
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
        Iterator(cursor: first, rewound: rewound, fetch: fetch)
    }

    /// A place in the list.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate var cursor: String?
        private let rewound: (@Sendable (_ cursor: String, _ removed: Int) -> String)?
        fileprivate let fetch: @Sendable (String?) async throws -> Page<Item>
        private var seen: Set<Item.ID> = []
        private var asked: Set<String> = []
        fileprivate(set) var isAtEnd = false

        fileprivate init(
            cursor: String?,
            rewound: (@Sendable (_ cursor: String, _ removed: Int) -> String)?,
            fetch: @escaping @Sendable (String?) async throws -> Page<Item>
        ) {
            self.cursor = cursor
            self.rewound = rewound
            self.fetch = fetch
        }

        /// Goes back to where nothing is missed of a list that has lost items; does nothing where none can be.
        mutating func rewind(afterRemoving removed: Int) {
            guard removed > 0, let cursor, let target = rewound?(cursor, removed), target != cursor else { return }
            self.cursor = target
            asked = []
            isAtEnd = false
        }

        /// The next page's new elements; after an error the same page is asked for again.
        public mutating func next() async throws -> [Item]? {
            guard !isAtEnd else { return nil }
            let page = try await fetch(cursor)
            if let cursor { asked.insert(cursor) }
            if let next = page.next, !asked.contains(next) { cursor = next } else { isAtEnd = true }
            return page.elements.filter { seen.insert($0.id).inserted }
        }
    }
}
