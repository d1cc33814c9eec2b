import EventLoops

/// A port of this machine where nobody listens, and nobody will: the client's side of a connection that stays open.
struct DeadPort: Sendable {
    let number: UInt16
    /// Never used, only kept.
    private let connection: ConnectedSocket

    /// How long the system may take to connect on this machine.
    private static let timeout = Duration.seconds(10)

    /// - Parameter port: where somebody listens.
    init(beside port: UInt16) throws(SystemError) {
        guard let address = SocketAddress("127.0.0.1", port: port) else {
            throw SystemError("getaddrinfo", .addressNotAvailable)
        }
        let deadline = SystemTime().now().advanced(by: Self.timeout)
        connection = try ConnectedSocket(connectingTo: address, until: deadline)
        number = try connection.localAddress().port
    }
}
