/// The timing, the speed and the faults of a response's transmission: by default it is sent immediately, whole and in one
/// piece.
package struct Delivery: Sendable, Hashable {
    /// The time from the moment at which the response is passed on until its first byte or its fault.
    package var delay: Duration
    /// The additional wait while the handler reports that the client is at work.
    package var extraHold = Duration.zero
    package var pacing: Pacing?
    package var fault: WireFault?
    /// A Boolean value that indicates whether the connection ends after this response, which its head says.
    package var closesConnection: Bool

    package init(
        delay: Duration = .zero,
        pacing: Pacing? = nil,
        fault: WireFault? = nil,
        closesConnection: Bool = false
    ) {
        self.delay = delay
        self.pacing = pacing
        self.fault = fault
        self.closesConnection = closesConnection
    }
}

/// Transmission that is slower than the network.
package enum Pacing: Sendable, Hashable {
    /// The head immediately and the body in pieces, each of which waits its share of the duration, so that the last piece
    /// is sent at its end.
    case dribble(chunks: Int, over: Duration)
    /// The maximum rate of head and body, which are sent in up to fifty pieces per second.
    case bandwidth(bytesPerSecond: Int)
}

/// An intentional failure of a response, after which the connection is closed.
package enum WireFault: Sendable, Hashable {
    /// A TCP reset instead of a response.
    case reset
    /// An orderly close before the first byte.
    case empty
    /// A head that announces the whole body, a number of its bytes, then an orderly close.
    case truncated(bodyBytes: Int)
    /// A chunked body that ends with an invalid chunk size. HTTP/1.0 does not have chunks, so its client gets half a body.
    case malformedChunk
    /// Bytes that are not HTTP instead of a response.
    case garbage([UInt8])
    /// No byte until the client leaves or the server stops.
    case never
}

/// The state of an exchange on the wire.
///
/// The transport reports how an exchange ended, which is never ``open``.
package enum ExchangeOutcome: String, Sendable, CaseIterable {
    /// The response has not been sent completely.
    case open
    /// The last byte was passed to the kernel.
    case sent
    /// The client left, or stopped reading, before that.
    case clientGone
    /// The intended fault occurred, or the server stopped first.
    case faulted
}
