package import Basics
import JSON
package import ScenarioFormat

/// The only source of scenario time: it runs at any rate, stands still, or jumps, as the scenario and its user say.
///
/// Virtual time is a straight line through an anchor, so that reading it is arithmetic and never drifts. The anchor
/// moves with every command.
package struct VirtualClock: Sendable, Hashable {
    package private(set) var mode: ClockMode
    /// The offset of the `Date` header.
    package var skew: Duration
    private var anchor: VirtualTime
    private var anchored: MonotonicTime
    /// The rate that it continues with after it stands still.
    private var rate = 1.0

    package init(start: VirtualTime, settings: ClockSettings, at now: MonotonicTime) {
        anchor = start
        anchored = now
        mode = settings.mode
        skew = settings.skew
        if case .running(let rate) = settings.mode { self.rate = rate }
    }

    /// The virtual time at a real moment; before the anchor it is the anchor's.
    package func read(at now: MonotonicTime) -> VirtualTime {
        guard case .running(let rate) = mode, now > anchored else { return anchor }
        let elapsed = now.nanoseconds - anchored.nanoseconds
        let passed = rate == 1 ? Int64(elapsed / 1_000) : Int64(min(Double(elapsed) * rate / 1_000, 9e18))
        let (sum, overflows) = anchor.microseconds.addingReportingOverflow(passed)
        return VirtualTime(microseconds: overflows ? .max : sum)
    }

    /// Sets the clock to a virtual time; it continues from there as before.
    package mutating func set(_ time: VirtualTime, at now: MonotonicTime) {
        anchor = time
        anchored = now
    }

    /// Puts the clock forward, or back by a negative duration.
    mutating func shift(by duration: Duration, at now: MonotonicTime) {
        set(read(at: now) + duration, at: now)
    }

    package mutating func change(to mode: ClockMode, at now: MonotonicTime) {
        set(read(at: now), at: now)
        self.mode = mode
        if case .running(let rate) = mode { self.rate = rate }
    }

    /// Lets a clock that stands still run again, as fast as it last did.
    package mutating func resume(at now: MonotonicTime) {
        change(to: .running(rate: rate), at: now)
    }

    /// The real moment at which a virtual time comes by itself; `nil` when it does not.
    package func arrival(of time: VirtualTime, at now: MonotonicTime) -> MonotonicTime? {
        guard time > read(at: now) else { return now }
        return moment(of: time)
    }

    /// Goes back to the real moment at which a virtual time came, which lies behind, and returns it.
    ///
    /// What happened then can so be made up for as if it had been seen at once: a clock that was to stop stopped then.
    /// A time that the clock did not run through but was put past came when it was put.
    mutating func revisit(_ time: VirtualTime, by now: MonotonicTime) -> MonotonicTime {
        guard time > anchor, let moment = moment(of: time) else { return anchored }
        set(time, at: min(moment, now))
        return anchored
    }

    /// The real moment at which a time beyond the anchor comes by itself.
    private func moment(of time: VirtualTime) -> MonotonicTime? {
        guard case .running(let rate) = mode, rate > 0 else { return nil }
        let (ahead, overflows) = time.microseconds.subtractingReportingOverflow(anchor.microseconds)
        guard ahead > 0, !overflows, let wait = Self.nanoseconds(of: ahead, rate: rate) else { return nil }
        let (moment, isBeyond) = anchored.nanoseconds.addingReportingOverflow(wait)
        return isBeyond ? nil : MonotonicTime(nanoseconds: moment)
    }

    /// The duration of a number of microseconds; rounded up, because an early timer would find nothing due.
    private static func nanoseconds(of microseconds: Int64, rate: Double) -> UInt64? {
        if rate == 1 {
            let (wait, overflows) = UInt64(microseconds).multipliedReportingOverflow(by: 1_000)
            return overflows ? nil : wait
        }
        let wait = (Double(microseconds) / rate * 1_000).rounded(.up) + 1
        return wait < 9e18 ? UInt64(wait) : nil
    }
}

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

/// A `Date` header that was off, if only for a while: a client that it has misled does not know when it is right again.
package struct DateOffset: Sendable, Hashable {
    /// Its maximum offset.
    package var largest: Duration
    /// The last exchange before it was off; 0 when it was off from the start.
    package var lastRight: UInt64

    package init(largest: Duration, lastRight: UInt64) {
        (self.largest, self.lastRight) = (largest, lastRight)
    }
}
