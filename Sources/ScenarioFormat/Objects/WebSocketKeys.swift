import Basics
import HTTPCodec
import JSON

/// The keys of a WebSocket.
enum WebSocketKeys: FormatObject {
    static let messages = Key(
        "messages",
        .json(.list(of: .object(WebSocketMessageKeys.self))),
        "The messages that the server sends, on the virtual clock.",
        example: [["json": ["hello": "ada"]], ["after": "5s", "text": "tick"]]
    )
    static let echo = Key("echo", .boolean, default: false, "If true, the server sends each client message back.")
    static let subprotocols = Key(
        "subprotocols",
        list: .list(of: .text(.filled)),
        "The supported subprotocols. The server chooses the first supported subprotocol in the client's list.",
        example: ["graphql-transport-ws"]
    )
    static let close = Key(
        "close",
        .object(WebSocketCloseKeys.self),
        "The close frame after the server's last message.",
        otherwise: "the WebSocket remains open until the client closes it"
    )
    static let tokenClose = Key(
        "tokenClose",
        .integer(1000...4999),
        "The close code, such as 4401, sent when the handshake's token is no longer valid.",
        otherwise: "the token is checked only during the handshake",
        example: 4401
    )

    static let shape = ObjectShape(
        "webSocket",
        "\"webSocket\"",
        "a WebSocket",
        [messages, echo, subprotocols, close, tokenClose],
        rules: [WebSocketCloseKeys.sendable(tokenClose)]
    )
}

/// The keys of one message of a WebSocket.
enum WebSocketMessageKeys: FormatObject {
    static let after = Key(
        "after",
        .duration,
        default: .zero,
        "The delay after the previous message, or after the handshake, on the virtual clock.",
        example: "5s"
    )
    static let json = Key(
        "json",
        .json(.anything),
        "The message as JSON. Placeholders are expanded during the handshake.",
        example: ["price": 12]
    )
    static let text = Key(
        "text",
        .json(.text(.any)),
        "The message as text. Placeholders are expanded during the handshake.",
        example: "tick"
    )

    static let shape = ObjectShape(
        "webSocketMessage",
        "a WebSocket message",
        "one WebSocket message",
        [after, json, text],
        exclusive: [[json, text]]
    )
}

/// The keys of the server's close.
enum WebSocketCloseKeys: FormatObject {
    static let code = Key("code", .integer(1000...4999), default: 1000, "The close code.")
    static let reason = Key("reason", .text(.filled), "The close reason, at most 123 bytes.", example: "bye")
    static let after = Key("after", .duration, default: .zero, "The delay after the last message.", example: "1s")

    static let shape = ObjectShape(
        "webSocketClose",
        "\"close\"",
        "a WebSocket close frame",
        [code, reason, after],
        rules: [sendable(code)]
    )

    /// The rule about codes that only describe an end, or that nothing has registered (RFC 6455, section 7.4).
    static func sendable(_ key: any FormatKey) -> ObjectRule {
        let name = key.declaration.name
        return ObjectRule(
            .not(.member(key, .any([.between(1004...1006), .between(1015...2999)]))),
            "scenario/close-code",
            at: key,
            advice: "use 4000 to 4999 for your own codes, 1000 for a normal end, 1008 for a refusal",
            message: {
                "a WebSocket cannot be closed with the code \($0[name]?.text(.compact) ?? "") (RFC 6455, section 7.4)"
            }
        )
    }
}

extension ScenarioBuilder {
    /// Reads a WebSocket.
    mutating func webSocket(_ tree: JSONValue) -> WebSocketScript {
        let messages = (tree[WebSocketKeys.messages]?.array ?? []).map { message in
            WebSocketScript.Message(
                after: message[WebSocketMessageKeys.after],
                data: data(json: message[WebSocketMessageKeys.json], text: message[WebSocketMessageKeys.text])
            )
        }
        let close = tree[WebSocketKeys.close].map { webSocketClose($0) }
        return WebSocketScript(
            messages: messages,
            echoes: tree[WebSocketKeys.echo],
            subprotocols: tree[WebSocketKeys.subprotocols],
            close: close,
            tokenClose: tree[WebSocketKeys.tokenClose]
        )
    }

    /// Reads how a WebSocket is closed.
    mutating func webSocketClose(_ tree: JSONValue) -> WebSocketScript.Close {
        WebSocketScript.Close(
            after: tree[WebSocketCloseKeys.after],
            code: tree[WebSocketCloseKeys.code],
            reason: tree[WebSocketCloseKeys.reason] ?? ""
        )
    }
}
