import Simulation

/// What is going to happen, in the order of time; what was entered first comes first at the same moment.
struct EventQueue<Content> {
    private var entries: [(due: RealTime, content: Content)] = []

    /// The moment of the next event.
    var next: RealTime? { entries.first?.due }

    mutating func add(_ content: Content, due: RealTime) {
        // A play has a handful of events at a time, so looking through them is the quickest.
        let place = entries.firstIndex { $0.due > due } ?? entries.endIndex
        entries.insert((due, content), at: place)
    }

    mutating func take() -> (due: RealTime, content: Content)? {
        entries.isEmpty ? nil : entries.removeFirst()
    }

    /// Takes everything out.
    mutating func removeAll() -> [Content] {
        defer { entries = [] }
        return entries.map(\.content)
    }
}
