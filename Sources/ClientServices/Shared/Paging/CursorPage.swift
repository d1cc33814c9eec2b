/// Some of a list, as servers with cursors send it.
///
/// What the server always sends with an element is wanted of each: a page with one that lacks it is refused, because the
/// server and the app then no longer mean the same. What it may leave out may be absent.
public struct CursorPage<Element: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
    /// The elements of this page, in the server's order.
    public var elements: [Element]
    /// The server's word for the next page; `"0"` at the end.
    public var cursor: String

    /// What to ask with for the next page; `nil` at the end.
    public var next: String? { cursor == Self.edge || cursor.isEmpty ? nil : cursor }

    /// The server's word for the end of a list, and for its beginning where it wants one.
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
