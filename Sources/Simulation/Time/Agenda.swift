import ScenarioFormat

/// What is due at a virtual time, in order; things of the same moment come in the order in which they were added.
struct Agenda: Sendable {
    enum Item: Sendable {
        /// An event of the timeline that happens at its own moment.
        case event(Event)
        /// An event of the timeline that an exchange has set off.
        case consequence(Event)
        /// A response that waits on the virtual clock.
        case response(exchange: UInt64)
    }

    private struct Entry {
        var due: VirtualTime
        /// Counts the additions, so that those of one moment keep their order.
        var order: UInt64
        var item: Item

        func comes(before other: Entry) -> Bool {
            due != other.due ? due < other.due : order < other.order
        }
    }

    /// A binary heap: each entry comes before the two below it.
    private var heap: [Entry] = []
    private var lastOrder: UInt64 = 0
    /// Responses that nobody waits for any more; each is left out when it comes to the top.
    private var abandoned: Set<UInt64> = []

    var next: VirtualTime? { heap.first?.due }

    mutating func add(_ item: Item, due: VirtualTime) {
        lastOrder += 1
        heap.append(Entry(due: due, order: lastOrder, item: item))
        rise(from: heap.count - 1)
    }

    /// Takes the next thing that is due by a time.
    mutating func take(dueBy time: VirtualTime) -> (due: VirtualTime, item: Item)? {
        guard let entry = heap.first, entry.due <= time else { return nil }
        removeFirst()
        dropAbandoned()
        return (entry.due, entry.item)
    }

    /// Strikes out a response, which must be on the agenda.
    mutating func removeResponse(_ exchange: UInt64) {
        abandoned.insert(exchange)
        dropAbandoned()
    }

    /// Strikes out the events that happen at their own moment.
    mutating func removeTimedEvents() {
        let kept = heap.filter { if case .event = $0.item { false } else { true } }
        heap = []
        for entry in kept {
            heap.append(entry)
            rise(from: heap.count - 1)
        }
        dropAbandoned()
    }

    /// Keeps an abandoned response from being the next thing, which an automatic clock would jump to.
    private mutating func dropAbandoned() {
        while !abandoned.isEmpty, case .response(let exchange) = heap.first?.item, abandoned.remove(exchange) != nil {
            removeFirst()
        }
    }

    // MARK: Heap

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(from: 0)
    }

    private mutating func rise(from index: Int) {
        var index = index
        while index > 0, heap[index].comes(before: heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(from index: Int) {
        var index = index
        while true {
            var first = index
            for child in [index * 2 + 1, index * 2 + 2]
            where child < heap.count && heap[child].comes(before: heap[first]) {
                first = child
            }
            guard first != index else { return }
            heap.swapAt(index, first)
            index = first
        }
    }
}
