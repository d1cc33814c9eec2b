/// What is going to happen, in the order of time; what was entered first comes first at the same moment.
package struct EventQueue<Moment: Comparable, Content> {
    private var entries: [(due: Moment, content: Content)] = []

    package init() {}

    /// The moment of the next event.
    package var next: Moment? { entries.first?.due }

    package mutating func add(_ content: Content, due: Moment) {
        // A play has a handful of events at a time, so looking through them is the quickest.
        let place = entries.firstIndex { $0.due > due } ?? entries.endIndex
        entries.insert((due, content), at: place)
    }

    package mutating func take() -> (due: Moment, content: Content)? {
        entries.isEmpty ? nil : entries.removeFirst()
    }

    /// Takes everything out.
    package mutating func removeAll() -> [Content] {
        defer { entries = [] }
        return entries.map(\.content)
    }

    /// Takes out what will not happen.
    package mutating func removeAll(where isCancelled: (Content) -> Bool) {
        entries.removeAll { isCancelled($0.content) }
    }
}
