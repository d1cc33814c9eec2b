import Basics
import JSON
import ScenarioFormat

/// The events due at a virtual time, in order; events of the same time come in the order of their insertion.
struct Agenda: Sendable {
    enum Item: Sendable {
        /// An event of the timeline that happens at its own moment.
        case event(Event)
        /// An event of the timeline that an exchange has set off.
        case consequence(Event)
        /// A response that waits on the virtual clock.
        case response(exchange: UInt64)
        /// A part of a stream; nothing when the stream has ended.
        case streamPiece(exchange: UInt64)
        /// The moment at which a token expires that a stream depends on.
        case streamToken(exchange: UInt64)

        /// The words for the item, and its position in the scenario.
        var description: (what: String, position: JSONPosition?) {
            switch self {
            case .event(let event), .consequence(let event): (event.action.words, event.position)
            case .response(let exchange): ("the response in exchange \(exchange)", nil)
            case .streamPiece(let exchange): ("the next part of the stream in exchange \(exchange)", nil)
            case .streamToken(let exchange): ("the token for the stream in exchange \(exchange) expires", nil)
            }
        }

        /// The route into whose streams something is pushed.
        fileprivate var pushedRoute: String? {
            switch self {
            case .event(let event), .consequence(let event):
                if case .push(let push) = event.action { push.route } else { nil }
            case .response, .streamPiece, .streamToken: nil
            }
        }
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
    /// The number of them that push to streams.
    private var pushes = 0
    private var lastOrder: UInt64 = 0
    /// Responses whose clients have left; each is left out when it comes to the top.
    private var abandoned: Set<UInt64> = []

    var next: VirtualTime? { heap.first?.due }

    /// The first due events, in order.
    func first(_ limit: Int) -> [(due: VirtualTime, item: Item)] {
        var first: [Entry] = []
        for entry in heap {
            if case .response(let exchange) = entry.item, abandoned.contains(exchange) { continue }
            guard first.count < limit || first.last.map(entry.comes) ?? false else { continue }
            first.insert(entry, at: first.firstIndex(where: entry.comes) ?? first.count)
            if first.count > limit { first.removeLast() }
        }
        return first.map { ($0.due, $0.item) }
    }

    /// The items that become due by a time, in no particular order.
    func items(dueBy time: VirtualTime) -> [(due: VirtualTime, item: Item)] {
        heap.filter { $0.due <= time }.map { ($0.due, $0.item) }
    }

    mutating func add(_ item: Item, due: VirtualTime) {
        lastOrder += 1
        if item.pushedRoute != nil { pushes += 1 }
        heap.append(Entry(due: due, order: lastOrder, item: item))
        rise(from: heap.count - 1)
    }

    /// Adds the timed events of a timeline, or those after a time.
    mutating func add(_ timeline: [TimelineEntry], from start: VirtualTime, after time: VirtualTime? = nil) {
        for entry in timeline {
            guard case .at(let delay) = entry.trigger else { continue }
            let due = start + delay
            if time.map({ $0 < due }) ?? true { add(.event(entry.event), due: due) }
        }
    }

    /// Returns whether something is pushed into streams of a route later.
    func hasPush(to route: String) -> Bool {
        pushes > 0 && heap.contains { $0.item.pushedRoute?.exact == route.exact }
    }

    /// Takes the next thing that is due by a time.
    mutating func take(dueBy time: VirtualTime) -> (due: VirtualTime, item: Item)? {
        guard !heap.isEmpty, heap[0].due <= time else { return nil }
        let entry = heap[0]
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
        pushes = kept.count { $0.item.pushedRoute != nil }
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
        if heap.removeLast().item.pushedRoute != nil { pushes -= 1 }
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
