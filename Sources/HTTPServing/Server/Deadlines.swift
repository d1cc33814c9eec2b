import Basics
import EventLoops
import HTTPCodec
import TLS

/// The time limits of a client, so that a byte per minute does not hold a slot forever.
///
/// Never virtual: they count on the server's own ``TimeSource``, regardless of the scenario's clock.
package struct Deadlines: Sendable, Hashable {
    /// Between two requests, or before the first: 60 s, then the connection is closed.
    package var idle: Duration
    /// From a head's first byte to its last, however they drip: 10 s, then 408.
    package var head: Duration
    /// From the first byte of a TLS handshake to the last: 10 s, then the connection is closed.
    package var handshake = Duration.seconds(10)
    /// Between two reads of a body, and on top of what the minimum rate grants: 10 s, then 408.
    package var body: Duration
    /// Between two writes of a response, and on top of what the minimum rate grants: 10 s, then a reset.
    package var write: Duration
    /// Bytes per second on average, for bodies and responses alike: 128.
    package var minimumRate: Int
    /// After the last response, for the client to read it and leave, before the close: 2 s.
    package var lingering: Duration

    package init(
        idle: Duration = .seconds(60),
        head: Duration = .seconds(10),
        body: Duration = .seconds(10),
        write: Duration = .seconds(10),
        minimumRate: Int = 128,
        lingering: Duration = .seconds(2)
    ) {
        self.idle = idle
        self.head = head
        self.body = body
        self.write = write
        self.minimumRate = minimumRate
        self.lingering = lingering
    }
}
