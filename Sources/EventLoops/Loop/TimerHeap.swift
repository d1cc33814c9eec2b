import Basics

/// Names one scheduled timer; a name that has fired or was cancelled has no effect.
package struct TimerID: Sendable, Hashable {
    var slot: Int32
    var generation: UInt32
}

/// Timers ordered by deadline: a binary heap whose entries can be removed from anywhere.
///
/// Scheduling, cancelling and firing cost O(log n); among equal deadlines the one scheduled first fires first.
/// Cancelled timers leave nothing behind, because a server cancels far more deadlines than it lets pass.
struct TimerHeap<Payload> {
    private struct Entry {
        var deadline: MonotonicTime
        var order: UInt64
        var slot: Int32

        func isBefore(_ other: Entry) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : order < other.order
        }
    }

    private struct Slot {
        var generation: UInt32
        /// Where in the heap the timer is, -1 for a free slot.
        var position: Int32
        var payload: Payload?
    }

    private var heap: [Entry] = []
    private var slots: [Slot] = []
    private var freeSlots: [Int32] = []
    private var scheduled: UInt64 = 0

    var count: Int { heap.count }

    /// When the next timer is due, or never.
    var earliest: MonotonicTime { heap.first?.deadline ?? .never }

    /// A mark between what is scheduled already and what will be.
    var horizon: UInt64 { scheduled }

    mutating func schedule(at deadline: MonotonicTime, _ payload: Payload) -> TimerID {
        let slot: Int32
        if let free = freeSlots.popLast() {
            slot = free
        } else {
            slot = Int32(slots.count)
            slots.append(Slot(generation: 0, position: -1, payload: nil))
        }
        slots[Int(slot)].payload = payload
        heap.append(Entry(deadline: deadline, order: scheduled, slot: slot))
        scheduled += 1
        siftUp(heap.count - 1)
        return TimerID(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// Returns whether the timer was still waiting.
    @discardableResult
    mutating func cancel(_ timer: TimerID) -> Bool {
        guard slots.indices.contains(Int(timer.slot)) else { return false }
        let slot = slots[Int(timer.slot)]
        guard slot.generation == timer.generation, slot.position >= 0 else { return false }
        remove(at: Int(slot.position))
        return true
    }

    /// Takes the next timer that is due and was scheduled before the horizon.
    mutating func popDue(at now: MonotonicTime, before horizon: UInt64) -> (id: TimerID, payload: Payload)? {
        guard let first = heap.first, first.deadline <= now, first.order < horizon else { return nil }
        let id = TimerID(slot: first.slot, generation: slots[Int(first.slot)].generation)
        guard let payload = remove(at: 0) else { return nil }
        return (id, payload)
    }

    @discardableResult
    private mutating func remove(at position: Int) -> Payload? {
        let slot = Int(heap[position].slot)
        let payload = slots[slot].payload
        slots[slot].payload = nil
        slots[slot].position = -1
        slots[slot].generation &+= 1
        freeSlots.append(Int32(slot))
        let last = heap.removeLast()
        if position < heap.count {
            heap[position] = last
            siftUp(position)
            siftDown(Int(slots[Int(last.slot)].position))
        }
        return payload
    }

    private mutating func siftUp(_ start: Int) {
        var position = start
        let entry = heap[position]
        while position > 0 {
            let parent = (position - 1) / 2
            guard entry.isBefore(heap[parent]) else { break }
            place(heap[parent], at: position)
            position = parent
        }
        place(entry, at: position)
    }

    private mutating func siftDown(_ start: Int) {
        var position = start
        let entry = heap[position]
        while true {
            var child = 2 * position + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(entry) else { break }
            place(heap[child], at: position)
            position = child
        }
        place(entry, at: position)
    }

    private mutating func place(_ entry: Entry, at position: Int) {
        heap[position] = entry
        slots[Int(entry.slot)].position = Int32(position)
    }
}
