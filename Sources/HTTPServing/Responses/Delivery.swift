/// When, how fast and how faithfully a response is sent: at once, in one piece and whole unless it says otherwise.
package struct Delivery: Sendable, Hashable {
    /// Waited from the moment the response is handed over until its first byte, or its fault.
    package var delay: Duration
    /// How much longer than that it is waited while the handler says that the client is at work.
    package var extraHold = Duration.zero
    package var pacing: Pacing?
    package var fault: DeliveryFault?
    /// Ends the connection after this response, and says so in its head.
    package var closesConnection: Bool

    package init(
        delay: Duration = .zero,
        pacing: Pacing? = nil,
        fault: DeliveryFault? = nil,
        closesConnection: Bool = false
    ) {
        self.delay = delay
        self.pacing = pacing
        self.fault = fault
        self.closesConnection = closesConnection
    }
}

/// Sending slower than the network would.
package enum Pacing: Sendable, Hashable {
    /// The head at once, the body in so many pieces; each waits its share of the duration, so the last ends it.
    case dribble(chunks: Int, over: Duration)
    /// Head and body no faster than this, fifty pieces a second at most.
    case bandwidth(bytesPerSecond: Int)
}

/// Ways in which a response goes wrong on purpose; the connection never survives one.
package enum DeliveryFault: Sendable, Hashable {
    /// An RST instead of a response.
    case reset
    /// An orderly close without one byte.
    case empty
    /// A head that announces the whole body, so many bytes of it, then an orderly close.
    case truncatedBody(sent: Int)
    /// A chunked body that breaks off in a chunk size that is none. HTTP/1.0, which has no chunks, gets half a body.
    case malformedChunk
    /// Bytes that are no HTTP instead of a response.
    case garbage([UInt8])
    /// Nothing, until the client leaves or the server stops.
    case never
}
