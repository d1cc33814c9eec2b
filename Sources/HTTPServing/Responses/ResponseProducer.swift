package import EventLoops
package import HTTPCodec

/// Makes a response somewhere else, such as at another server, when the time of the response has come.
package protocol ResponseProducer: Sendable {
    /// Makes the object that carries the exchange over; called on the loop of the client's connection.
    func makeRelay(for client: any RelayedClient) -> any ClientRelay
}

/// An exchange that is carried over between a client and another server; used on the loop of the client's connection.
///
/// The connection holds it until the exchange has ended.
package protocol ClientRelay: AnyObject {
    /// Begins; the client may have sent a part of its body already.
    func begin()

    /// The client has sent more, or the end of its body.
    func clientSent()

    /// All bytes for the client have left after some had to wait.
    func clientHasRoom()

    /// The client is gone; nothing can be sent to it anymore.
    func clientLeft()
}

/// The client of an exchange that is carried over, as its ``ClientRelay`` sees it.
package protocol RelayedClient: AnyObject {
    var events: EventLoop { get }

    /// An object that the relays of this loop share, such as open connections.
    var relayResources: AnyObject? { get set }

    /// Removes what has come of the request's body, or of the client's bytes after an upgrade.
    func takeSent() -> [UInt8]

    /// The trailers of the request's body, once all of it has come; empty for a request that came with its body.
    var bodyEnd: HTTPFields? { get }

    /// A Boolean value that indicates whether more of the body is read.
    var isReadingBody: Bool { get set }

    /// The number of bytes that wait for the client.
    var unsentCount: Int { get }

    /// Sends an interim response (1xx), unless the client does not know them.
    func send(interim response: HTTPResponse)

    /// Begins the response with its head.
    func begin(_ response: HTTPResponse, framing: HTTPResponseWriter.Framing)

    /// Begins the response after which the connection speaks another protocol.
    func beginUpgrade(_ response: HTTPResponse)

    /// Sends a part of the response's body.
    func send(_ bytes: [UInt8])

    /// Ends the response.
    ///
    /// - Parameter isWhole: Whether the client is to take it for complete; its connection is broken otherwise.
    func end(trailers: HTTPFields, isWhole: Bool)

    /// Sends another response in place of one that has not begun.
    func respond(with response: OutgoingResponse)
}
