/// What a WebSocket does after its handshake.
package struct WebSocketScript: Sendable {
    package var messages: [Message]
    /// Whether the messages of the client are sent back.
    package var echoes: Bool
    /// The subprotocols that the server speaks.
    package var subprotocols: [String]
    /// How the server closes after its last message; nil when it does not.
    package var close: Close?
    /// The code to close with when the token of the handshake is not valid any more; nil when it is not looked at again.
    package var tokenClose: Int?

    /// One message of the server.
    package struct Message: Sendable {
        /// How long after the message before it, or after the handshake.
        package var after: Duration
        package var data: EventStream.Data
    }

    /// The end of a WebSocket.
    package struct Close: Sendable, Hashable {
        /// How long after the last message.
        package var after: Duration
        package var code: Int
        package var reason: String
    }

    var placeholders: [Placeholder] {
        messages.flatMap { $0.data.placeholders }
    }
}
