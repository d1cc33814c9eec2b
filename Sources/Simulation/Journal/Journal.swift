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
    /// How many exchanges are kept.
    package private(set) var count = 0
    /// A ring, so that a place that became free is taken by the next exchange, and nothing is ever moved.
    private var places: [Place] = []
    /// Where the oldest exchange lies.
    private var start = 0
    private var bytes = 0

    /// Room for an exchange, with its weight, so that nobody has to take the exchange out to learn it.
    private struct Place: Sendable {
        var exchange: Exchange?
        var weight = 0
    }

    package init(capacity: Capacity = Capacity()) {
        self.capacity = capacity
    }

    /// What is kept, oldest first; a copy, for whoever reads all of it.
    package var exchanges: [Exchange] {
        (0..<count).compactMap { places[place($0)].exchange }
    }

    package mutating func append(_ exchange: consuming Exchange) {
        let weight = exchange.weight
        if count == places.count { makePlace() }
        let place = place(count)
        places[place].weight = weight
        places[place].exchange = consume exchange
        bytes += weight
        count += 1
        while count > 1, count > capacity.exchanges || bytes > capacity.bytes { dropOldest() }
    }

    private mutating func dropOldest() {
        bytes -= places[start].weight
        places[start].exchange = nil
        start = place(1)
        count -= 1
        dropped += 1
    }

    /// The place of the exchange that came so many after the oldest.
    private func place(_ offset: Int) -> Int {
        let place = start + offset
        return place < places.count ? place : place - places.count
    }

    /// Makes room in a ring that is full.
    ///
    /// Where the oldest exchange is not the first, all are moved; then there are more free places behind the last, so
    /// that this seldom happens.
    private mutating func makePlace() {
        if start == 0 {
            places.append(Place())
        } else {
            places = places[start...] + places[..<start] + Array(repeating: Place(), count: count / 4 + 1)
            start = 0
        }
    }

    /// Notes how an exchange that is still kept ended on the wire.
    mutating func noteEnd(of number: UInt64, _ outcome: Exchange.Outcome, at end: RealTime) {
        guard let place = find(number) else { return }
        places[place].exchange?.outcome = outcome
        places[place].exchange?.end = end
    }

    /// Notes what the contract does not allow in the reply of an exchange that is still kept, and what replaced it.
    mutating func note(_ violations: [Violation], of number: UInt64, replacement: HTTPResponse?) {
        guard let place = find(number) else { return }
        places[place].exchange?.violations += violations
        guard let replacement else { return }
        places[place].exchange?.response = replacement
        places[place].exchange?.sharesBody = false
    }

    /// Notes how long an exchange that is still kept was held at a gate.
    mutating func note(_ hold: GateHold, of number: UInt64) {
        guard let place = find(number) else { return }
        places[place].exchange?.hold = hold
    }

    /// The backend's route of an exchange that is still kept, and the status of its answer.
    func answer(to number: UInt64) -> (route: String?, status: Int)? {
        guard let place = find(number), let exchange = places[place].exchange else { return nil }
        return (exchange.origin == nil ? exchange.route : nil, exchange.response.status.code)
    }

    package func exchange(_ number: UInt64) -> Exchange? {
        find(number).flatMap { places[$0].exchange }
    }

    /// Numbers rise by one from exchange to exchange, so a place needs no search.
    private func find(_ number: UInt64) -> Int? {
        guard count > 0, let first = places[start].exchange?.number, number >= first else { return nil }
        let offset = Int(clamping: number - first)
        return offset < count && places[place(offset)].exchange?.number == number ? place(offset) : nil
    }

    /// Forgets everything, also what was dropped.
    package mutating func removeAll() {
        self = Journal(capacity: capacity)
    }
}
