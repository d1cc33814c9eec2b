import HTTPWire

/// The exchanges of a session, newest last, within bounds; what fell out is counted.
package struct Journal: Sendable {
    /// How much a journal keeps.
    package struct Capacity: Sendable, Hashable {
        package var exchanges: Int
        package var bytes: Int

        package init(exchanges: Int = 50_000, bytes: Int = 16 * 1024 * 1024) {
            self.exchanges = exchanges
            self.bytes = bytes
        }

        /// Keeps everything.
        package static let unlimited = Capacity(exchanges: .max, bytes: .max)
    }

    package let capacity: Capacity
    /// How many exchanges were dropped to stay within the capacity; a verdict on such a journal is incomplete.
    package private(set) var dropped = 0
    private var storage: [Exchange] = []
    /// The index of the oldest exchange; those before it are dropped and wait to be cleared in one go.
    private var start = 0
    private var bytes = 0

    package init(capacity: Capacity = Capacity()) {
        self.capacity = capacity
    }

    package var exchanges: ArraySlice<Exchange> { storage[start...] }

    package var count: Int { storage.count - start }

    package mutating func append(_ exchange: Exchange) {
        storage.append(exchange)
        bytes += exchange.weight
        while count > 1, count > capacity.exchanges || bytes > capacity.bytes { dropOldest() }
        // Clearing half of the storage at a time costs each exchange one move.
        if start > 64, start * 2 > storage.count {
            storage.removeFirst(start)
            start = 0
        }
    }

    private mutating func dropOldest() {
        bytes -= storage[start].weight
        storage[start].release()
        start += 1
        dropped += 1
    }

    /// Changes an exchange that is still kept.
    package mutating func update(_ number: UInt64, _ body: (inout Exchange) -> Void) {
        if let index = index(of: number) { body(&storage[index]) }
    }

    package func exchange(_ number: UInt64) -> Exchange? {
        index(of: number).map { storage[$0] }
    }

    /// Numbers rise by one from exchange to exchange, so a place needs no search.
    private func index(of number: UInt64) -> Int? {
        guard start < storage.count, number >= storage[start].number else { return nil }
        let index = start + Int(clamping: number - storage[start].number)
        return index < storage.count && storage[index].number == number ? index : nil
    }

    /// Forgets everything, also what was dropped.
    package mutating func removeAll() {
        self = Journal(capacity: capacity)
    }
}

extension Exchange {
    /// Lets go of the large parts of an exchange that was dropped.
    fileprivate mutating func release() {
        request.body = []
        response.body = []
    }
}
