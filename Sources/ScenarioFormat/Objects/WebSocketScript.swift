import JSON

/// The messages of a WebSocket after its handshake.
package struct WebSocketScript: Sendable {
    package var messages: [Message] = []
    /// A Boolean value that indicates whether the messages of the client are sent back.
    package var echoes = false
    /// The subprotocols that the server speaks.
    package var subprotocols: [String] = []
    /// The close frame after the server's last message; `nil` without one.
    package var close: Close?
    /// The code to close with when the token of the handshake is not valid any more; nil when it is not looked at again.
    package var tokenClose: Int?

    /// One message of the server.
    package struct Message: Sendable {
        /// The delay after the previous message, or after the handshake.
        package var after = Duration.zero
        package var data = EventStream.Data.none
    }

    /// The end of a WebSocket.
    package struct Close: Sendable, Hashable {
        /// The delay after the last message.
        package var after = Duration.zero
        package var code = 1000
        package var reason = ""
    }

    var placeholders: [Placeholder] {
        messages.flatMap { $0.data.placeholders }
    }
}

extension WebSocketScript: ModelObject {
    static let keys = Keys("webSocket", "\"webSocket\"", "a WebSocket", rules: [Close.sendable("tokenClose")]) {
        Key("messages", \.messages, .list(of: .object), "The messages that the server sends, on the virtual clock.")
            .example([["json": ["hello": "ada"]], ["after": "5s", "text": "tick"]])
        Key("echo", \.echoes, .boolean, "If true, the server sends each client message back.")
        Key("subprotocols", \.subprotocols, .list(of: .text(.filled)))
            .summary(
                "The supported subprotocols. The server chooses the first supported subprotocol in the client's list."
            )
            .example(["graphql-transport-ws"])
        Key("close", \.close, .object, "The close frame after the server's last message.")
            .otherwise("the WebSocket remains open until the client closes it")
        Key("tokenClose", \.tokenClose, .integer(1000...4999))
            .summary("The close code, such as 4401, sent when the handshake's token is no longer valid.")
            .otherwise("the token is checked only during the handshake").example(4401)
    }
}

extension WebSocketScript.Message: ModelObject {
    static let keys = Keys(
        "webSocketMessage",
        "a WebSocket message",
        "one WebSocket message",
        exclusive: [["json", "text"]]
    ) {
        Key("after", \.after, .duration)
            .summary("The delay after the previous message, or after the handshake, on the virtual clock.")
            .example("5s")
        Key("json", \.data, .jsonData, "The message as JSON. Placeholders are expanded during the handshake.")
            .example(["price": 12])
        Key("text", \.data, .textData, "The message as text. Placeholders are expanded during the handshake.")
            .example("tick")
    }
}

extension WebSocketScript.Close: ModelObject {
    static let keys = Keys("webSocketClose", "\"close\"", "a WebSocket close frame", rules: [sendable("code")]) {
        Key("code", \.code, .integer(1000...4999), "The close code.")
        Key("reason", ValueType<String>.text(.filled), "The close reason, at most 123 bytes.") { $0.reason = $1 }
            .example("bye")
        Key("after", \.after, .duration, "The delay after the last message.").example("1s")
    }

    /// The rule about codes that only describe an end, or that nothing has registered (RFC 6455, section 7.4).
    static func sendable(_ name: String) -> ObjectRule {
        ObjectRule(
            .not(.member(name, .any([.between(1004...1006), .between(1015...2999)]))),
            "scenario/close-code",
            at: name,
            advice: "use 4000 to 4999 for your own codes, 1000 for a normal end, or 1008 for a refusal",
            message: {
                "a WebSocket cannot be closed with the code \($0[name]?.text(.compact) ?? "") (RFC 6455, section 7.4)"
            }
        )
    }
}
