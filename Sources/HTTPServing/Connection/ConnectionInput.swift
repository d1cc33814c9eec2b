import HTTPCodec

/// The bytes that a connection has read and not parsed; empty, and without memory, while the client is idle.
///
/// A connection that has no bytes borrows its loop's buffer for a read. Bytes that are not parsed at once move to the
/// connection's own buffer.
struct ConnectionInput {
    /// The loop's buffer during a read that began without bytes, and the connection's own at all other times.
    var buffer = InputBuffer()
    private var isBorrowing = false

    /// The maximum size of one read; also the size of the loop's buffer.
    static let readSize = 64 << 10
    /// The same while a part of a head waits in a buffer of the connection's own, of which there may be thousands.
    private static let ownReadSize = 8 << 10

    /// The maximum size of the next read.
    var readSize: Int { isBorrowing ? Self.readSize : Self.ownReadSize }

    mutating func borrow(_ spare: inout InputBuffer) {
        guard buffer.isEmpty, !isBorrowing else { return }
        isBorrowing = true
        swap(&buffer, &spare)
    }

    /// Returns the loop's buffer, and keeps what is left in it.
    mutating func giveBack(to spare: inout InputBuffer) {
        guard isBorrowing else { return }
        isBorrowing = false
        swap(&buffer, &spare)
        if spare.isEmpty { return }
        buffer = spare.withBytes { InputBuffer($0) }
        spare.consume(spare.count)
    }

    /// Discards bytes that will not be parsed.
    mutating func removeAll() {
        buffer.consume(buffer.count)
        releaseIfEmpty()
    }

    /// Releases the connection's own memory when no bytes wait.
    mutating func releaseIfEmpty() {
        if !isBorrowing { buffer.releaseIfEmpty() }
    }
}
