import HTTPCodec

/// The bytes of a connection that wait to be sent, and the memory that is reserved for them.
///
/// The memory is limited, so that a client that does not read cannot use up the memory of the others.
struct UnsentOutput {
    /// The response that is being sent, unless the kernel accepted all of it at once.
    var response: ResponseInProgress?
    /// The stream that is being sent.
    var stream: StreamInProgress?
    /// Parts of a stream whose head is still to come.
    private var earlyParts: [StreamPart] = []
    /// The number of bytes in ``earlyParts``.
    private var earlyBytes = 0
    private var reservation: ByteReservation

    /// The number of unsent bytes of a WebSocket beyond which nothing is read from its client: 1 MB.
    ///
    /// The client then cannot send either, as with a server that answers each message before it reads the next one.
    static let mostUnread = 1 << 20

    init(in budget: ByteBudget) {
        reservation = ByteReservation(in: budget)
    }

    /// The number of bytes that wait in the stream, or for its head.
    var waitingInStream: Int { stream?.waiting ?? earlyBytes }

    /// Begins a stream with the parts that came before its head.
    mutating func begin(_ head: StreamInProgress) {
        var stream = head
        for part in earlyParts { stream.append(part) }
        removeEarlyParts()
        self.stream = stream
    }

    mutating func append(early part: StreamPart) {
        earlyParts.append(part)
        earlyBytes += part.bytes.count
    }

    /// Discards the parts that came before their head.
    mutating func removeEarlyParts() { (earlyParts, earlyBytes) = ([], 0) }

    /// Reserves memory for the bytes that wait, or releases some; returns `false` if the limit is reached.
    mutating func reserve() -> Bool {
        let waiting = waitingInStream + (response?.memory ?? 0)
        return reservation.change(to: waiting / ByteReservation.share * ByteReservation.share)
    }

    /// Releases all reserved memory, because no bytes wait anymore.
    mutating func release() { reservation.release() }

    mutating func removeAll() {
        response = nil
        stream = nil
        removeEarlyParts()
        release()
    }
}
