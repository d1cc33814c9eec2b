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
