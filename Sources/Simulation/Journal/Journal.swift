import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The exchanges of a session, newest last, within bounds; what fell out is counted.
package struct Journal: Sendable {
    /// The capacity of a journal.
    package struct Capacity: Sendable, Hashable {
        package var exchanges: Int
        package var bytes: Int

        package init(exchanges: Int = 50_000, bytes: Int = 64 << 20) {
            self.exchanges = exchanges
            self.bytes = bytes
        }

        /// Keeps everything.
        package static let unlimited = Capacity(exchanges: .max, bytes: .max)
    }

    package let capacity: Capacity
    /// The number of exchanges that were dropped to stay within the capacity; a verdict on such a journal is
    /// incomplete.
    package private(set) var dropped = 0
    /// The number of exchanges that are kept.
    package private(set) var count = 0
    /// Rows of equal length, the last of which is being filled.
    ///
    /// Not one long row: a reader of a copy of the session makes the journal copy what it writes to next, and then
    /// that is a row and not everything.
    private var rows: [[Place]] = []
    /// The number of free places at the beginning of the first row.
    private var start = 0
    /// About how many bytes what is kept takes.
    package private(set) var bytes = 0

    /// Room for an exchange, with the weight with which it was counted.
    private struct Place: Sendable {
        var exchange: Exchange?
        var weight = 0
    }

    package init(capacity: Capacity = Capacity()) {
        self.capacity = capacity
    }

    /// The kept exchanges, oldest first.
    package var exchanges: [Exchange] {
        var exchanges: [Exchange] = []
        exchanges.reserveCapacity(count)
        for row in rows { for place in row { if let exchange = place.exchange { exchanges.append(exchange) } } }
        return exchanges
    }

    private static let rowLength = 64

    package mutating func append(_ exchange: consuming Exchange) {
        let weight = exchange.weight
        if rows.isEmpty || rows[rows.count - 1].count == Self.rowLength { beginRow() }
        rows[rows.count - 1].append(Place(exchange: consume exchange, weight: weight))
        bytes += weight
        count += 1
        while count > 1, count > capacity.exchanges || bytes > capacity.bytes { dropOldest() }
    }

    /// Drops the oldest exchanges until so many bytes are left.
    mutating func shrink(to limit: Int) {
        while count > 0, bytes > limit { dropOldest() }
    }

    private mutating func beginRow() {
        var row: [Place] = []
        // Most sessions are short, and their first row is to be no longer than they are.
        if !rows.isEmpty { row.reserveCapacity(Self.rowLength) }
        rows.append(row)
    }

    private mutating func dropOldest() {
        bytes -= rows[0][start].weight
        rows[0][start].exchange = nil
        start += 1
        count -= 1
        dropped += 1
        guard start == Self.rowLength else { return }
        rows.removeFirst()
        start = 0
    }

    /// Notes how an exchange that is still kept ended on the wire.
    mutating func noteEnd(of number: UInt64, _ outcome: ExchangeOutcome, at end: MonotonicTime) {
        guard let (row, place) = find(number) else { return }
        rows[row][place].exchange?.outcome = outcome
        rows[row][place].exchange?.end = end
    }

    /// Notes what the contract does not allow in the response of an exchange that is still kept, and what replaced it.
    mutating func note(_ violations: [Violation], of number: UInt64, replacement: HTTPResponse?) {
        guard let (row, place) = find(number) else { return }
        rows[row][place].exchange?.note(violations, replacement: replacement)
    }

    /// Notes that an exchange that is still kept has ended without the response of its upstream, as a capture has it.
    mutating func noteMissingResponse(to number: UInt64, _ outcome: ExchangeOutcome) {
        change(number) { exchange in
            exchange.response = HTTPResponse(status: 504)
            if outcome == .faulted { exchange.fault = .empty }
        }
    }

    /// Changes an exchange that is still kept.
    mutating func change(_ number: UInt64, _ body: (inout Exchange) -> Void) {
        guard let (row, place) = find(number), var exchange = rows[row][place].exchange else { return }
        body(&exchange)
        let growth = exchange.weight - rows[row][place].weight
        rows[row][place].exchange = exchange
        rows[row][place].weight += growth
        bytes += growth
        while count > 1, bytes > capacity.bytes { dropOldest() }
    }

    /// Notes how long an exchange that is still kept was held at a gate.
    mutating func note(_ hold: GateHold, of number: UInt64) {
        guard let (row, place) = find(number) else { return }
        rows[row][place].exchange?.hold = hold
    }

    /// Notes what went over the stream of an exchange that is still kept.
    mutating func note(_ message: StreamMessage, of number: UInt64) {
        guard let (row, place) = find(number) else { return }
        let growth = rows[row][place].exchange?.note(message) ?? 0
        rows[row][place].weight += growth
        bytes += growth
    }

    /// The backend's route of an exchange that is still kept, and the status of its response.
    func answer(to number: UInt64) -> (route: String?, status: Int)? {
        guard let exchange = exchange(number) else { return nil }
        return (exchange.origin == nil ? exchange.route : nil, exchange.message.status.code)
    }

    /// The newest exchange.
    package var last: Exchange? { rows.last?.last?.exchange }

    package func exchange(_ number: UInt64) -> Exchange? {
        find(number).flatMap { rows[$0.row][$0.place].exchange }
    }

    /// Numbers rise by one from exchange to exchange, so a place needs no search.
    private func find(_ number: UInt64) -> (row: Int, place: Int)? {
        guard count > 0 else { return nil }
        // From the newest on, which is asked for most, and whose memory is at hand.
        let newest = rows.count - 1
        guard let last = rows[newest][rows[newest].count - 1].exchange?.number, number <= last else { return nil }
        let distance = Int(clamping: last - number)
        guard distance < count else { return nil }
        let (row, place) = (start + count - 1 - distance).quotientAndRemainder(dividingBy: Self.rowLength)
        return rows[row][place].exchange?.number == number ? (row, place) : nil
    }

    /// Forgets everything, also what was dropped.
    package mutating func removeAll() {
        self = Journal(capacity: capacity)
    }
}
