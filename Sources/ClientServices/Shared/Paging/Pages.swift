/// A list that comes page by page, each fetched when it is asked for.
///
/// An element that was there already is left out, because lists move while they are read; a cursor that was there
/// already ends the list, for otherwise it would never end.
public struct Pages<Item: Identifiable & Sendable>: AsyncSequence, Sendable where Item.ID: Sendable {
    /// A page's items that were in none before it.
    public typealias Element = [Item]

    private let first: String?
    private let fetch: @Sendable (String?) async throws -> Page<Item>

    /// - Parameters:
    ///   - first: what to ask with for the first page.
    ///   - fetch: asks for a page.
    init(from first: String? = nil, fetch: @escaping @Sendable (String?) async throws -> Page<Item>) {
        self.first = first
        self.fetch = fetch
    }

    /// Begins at the first page again.
    public func makeAsyncIterator() -> Iterator {
        Iterator(cursor: first, fetch: fetch)
    }

    /// A place in the list.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate var cursor: String?
        fileprivate let fetch: @Sendable (String?) async throws -> Page<Item>
        private var seen: Set<Item.ID> = []
        private var asked: Set<String> = []
        fileprivate(set) var isAtEnd = false

        fileprivate init(cursor: String?, fetch: @escaping @Sendable (String?) async throws -> Page<Item>) {
            self.cursor = cursor
            self.fetch = fetch
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
