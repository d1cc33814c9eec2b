/// Some of a list, and where the rest begins.
public struct Page<Element: Sendable>: Sendable {
    /// The elements of this page, in the server's order.
    public var elements: [Element]

    /// What to ask with for the next page; `nil` at the end.
    public var next: String?

    /// A page with what the server calls its next one.
    ///
    /// - Parameters:
    ///   - elements: the elements of the page.
    ///   - next: what to ask with for the next page; `nil` at the end.
    public init(_ elements: [Element], next: String?) {
        self.elements = elements
        self.next = next
    }
}
