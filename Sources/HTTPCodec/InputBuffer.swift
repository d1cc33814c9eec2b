/// Bytes that arrived and were not yet consumed, in one stretch of memory.
///
/// Consuming moves an index; the rest is moved to the front only when room is needed and at least as much was consumed
/// as is left, or when that alone makes the room, so each byte is moved a bounded number of times.
package struct InputBuffer: Sendable {
    private var storage: [UInt8] = []
    private var start = 0
    private var end = 0

    package init() {}

    package init(_ bytes: some Collection<UInt8>) {
        append(bytes)
    }

    /// The number of bytes to be consumed.
    package var count: Int { end - start }
    package var isEmpty: Bool { end == start }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { append(copying: UnsafeRawBufferPointer($0)) }
        if done == nil { append(Array(bytes)) }
    }

    package mutating func append(copying bytes: UnsafeRawBufferPointer) {
        fill(atMost: bytes.count) { room in
            room.copyMemory(from: bytes)
            return bytes.count
        }
    }

    /// Lets `body` write into free room of `capacity` bytes or more, for a read from a socket without a second copy.
    ///
    /// - Parameter body: Returns how many bytes it wrote at the start of the room; more than fits counts as full.
    package mutating func fill<Failure: Error>(
        atMost capacity: Int,
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        makeRoom(for: capacity)
        let from = end
        var written = 0
        var failure: Failure?
        storage.withUnsafeMutableBytes { all in
            do throws(Failure) {
                written = try body(UnsafeMutableRawBufferPointer(rebasing: all[from..<from + capacity]))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        end += min(max(written, 0), capacity)
    }

    package mutating func consume(_ count: Int) {
        start += min(max(count, 0), self.count)
        if start == end {
            start = 0
            end = 0
        }
    }

    /// Gives the memory back when nothing waits, so that an idle connection costs none.
    package mutating func releaseIfEmpty() {
        if isEmpty { storage = [] }
    }

    /// The bytes to be consumed, without a copy.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeBufferPointer { all throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: all[start..<end]))
        }
    }

    /// A copy of what waits, for messages and tests.
    package var bytes: [UInt8] { Array(storage[start..<end]) }

    private mutating func makeRoom(for capacity: Int) {
        let waiting = count
        if storage.count - end >= capacity { return }
        if start > 0, storage.count - waiting >= capacity, start >= waiting {
            storage.withUnsafeMutableBytes { all in
                UnsafeMutableRawBufferPointer(rebasing: all[0..<waiting])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: all[start..<end]))
            }
        } else {
            let size = max(waiting + capacity, min(waiting * 2, waiting + (1 << 20)))
            // What lies beyond the waiting bytes is written before it is read, so it need not be zeroed first.
            storage = [UInt8](unsafeUninitializedCapacity: size) { [storage, start, end] larger, count in
                storage.withUnsafeBytes { all in
                    UnsafeMutableRawBufferPointer(larger)
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: all[start..<end]))
                }
                count = size
            }
        }
        start = 0
        end = waiting
    }
}

/// Gathers the bytes of one body and counts them, kept or not, against its limit.
struct BodyCollector: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var received = 0
    private var announced = 0
    private var isKept = true
    var limit: Int

    /// More than this is not reserved on a mere announcement.
    private static let firstReserve = 64 << 10

    init(limit: Int) {
        self.limit = limit
    }

    /// Refuses before the bytes come, so that no client sends megabytes for nothing.
    mutating func announce(_ count: Int) throws(HTTPFault) {
        let (sum, overflows) = announced.addingReportingOverflow(count)
        guard !overflows, sum <= limit else { throw .bodyTooLarge(limit: limit) }
        announced = sum
    }

    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(min(count, Self.firstReserve))
    }

    /// Forgets what came and keeps nothing more; the budget is for what is still to come.
    mutating func discard(budget: Int) {
        isKept = false
        bytes = []
        let (sum, overflows) = received.addingReportingOverflow(max(0, budget))
        limit = overflows ? limit : min(limit, sum)
    }

    /// Removes what has come so far, for a body that is passed on while it arrives.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Hands the bytes over: they are not held here a second time.
    mutating func release() {
        bytes = []
    }

    /// A Boolean value that indicates whether what was announced is beyond a limit that was lowered since.
    var isBeyondLimit: Bool { announced > limit }

    mutating func take(atMost count: Int, from input: inout InputBuffer) -> Int {
        let taken = min(count, input.count)
        if isKept {
            input.withBytes { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<taken])) }
        }
        input.consume(taken)
        received += taken
        return taken
    }
}
