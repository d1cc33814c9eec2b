/// Some of a list, and where the rest begins.
public struct Page<Element: Sendable>: Sendable {
    public var elements: [Element]
    /// What to ask with for the next page; `nil` at the end.
    public var next: String?

    public init(_ elements: [Element], next: String?) {
        self.elements = elements
        self.next = next
    }
}
