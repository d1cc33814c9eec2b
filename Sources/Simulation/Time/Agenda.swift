import ScenarioFormat

/// What is due at a virtual time, in order; things of the same moment come in the order in which they were added.
struct Agenda: Sendable {
    enum Item: Sendable {
        /// An event of the story's timeline.
        case event(Event)
        /// A reply that waits on the virtual clock.
        case reply(exchange: UInt64)
    }

    private struct Entry {
        var due: VirtualTime
        var item: Item
    }

    /// Sorted, the next one last, so that taking it is cheap.
    private var entries: [Entry] = []

    var next: VirtualTime? { entries.last?.due }

    mutating func add(_ item: Item, due: VirtualTime) {
        // Binary search for the first entry that is not later: new entries of the same moment go before it.
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].due > due { low = middle + 1 } else { high = middle }
        }
        entries.insert(Entry(due: due, item: item), at: low)
    }

    /// Takes the next thing that is due by a time.
    mutating func take(dueBy time: VirtualTime) -> (due: VirtualTime, item: Item)? {
        guard let entry = entries.last, entry.due <= time else { return nil }
        entries.removeLast()
        return (entry.due, entry.item)
    }

    mutating func removeReply(_ exchange: UInt64) {
        entries.removeAll { if case .reply(exchange) = $0.item { true } else { false } }
    }

    mutating func removeEvents() {
        entries.removeAll { if case .event = $0.item { true } else { false } }
    }
}
