package import Basics
import HTTPCodec

/// The sender of a request, and the time.
package struct Peer: Sendable {
    /// Unlike that of every other connection of this server.
    package var connection: UInt64
    /// The tag of the listener that accepted it.
    package var listener: Int
    /// The client's address in numbers, without the port.
    package var address: String
    package var port: UInt16
    /// A Boolean value that indicates whether the client speaks TLS.
    package var isSecure = false
    /// When the bytes that completed the request, or its head, were read.
    package var arrival: MonotonicTime
    /// The maximum delay between the arrival of the request's first bytes and their read.
    package var lag = Duration.zero

    package init(connection: UInt64, listener: Int, address: String, port: UInt16, arrival: MonotonicTime) {
        self.connection = connection
        self.listener = listener
        self.address = address
        self.port = port
        self.arrival = arrival
    }
}
