/// A response whose body comes event by event on the virtual clock: server-sent events, or lines of JSON.
package struct EventStream: Sendable {
    package var events: [Event]
    /// A Boolean value that indicates whether each event is a line of JSON, and not a server-sent event.
    package var areLines: Bool
    /// A Boolean value that indicates whether the stream stays open after its last event.
    package var staysOpen: Bool
    package var tokenAt: TokenCheck

    /// One event.
    package struct Event: Sendable {
        /// The delay after the previous event, or after the start.
        package var after: Duration
        package var type: String?
        package var id: String?
        package var retry: Duration?
        package var comment: String?
        package var data: Data

        package init(
            after: Duration,
            type: String? = nil,
            id: String? = nil,
            retry: Duration? = nil,
            comment: String? = nil,
            data: Data
        ) {
            (self.after, self.type, self.id, self.retry) = (after, type, id, retry)
            (self.comment, self.data) = (comment, data)
        }
    }

    /// The data of an event.
    package enum Data: Sendable {
        case none
        case json(ValueTemplate)
        case text(TextTemplate)
    }

    /// The times at which the token that opened the stream is checked.
    package enum TokenCheck: String, Sendable, CaseIterable {
        case opening
        case events
    }

    /// The media type where no header field names one.
    package var contentType: String { areLines ? "application/x-ndjson" : "text/event-stream" }

    var placeholders: [Placeholder] {
        events.flatMap { $0.data.placeholders }
    }
}

extension EventStream.Data {
    var placeholders: [Placeholder] {
        switch self {
        case .none: []
        case .json(let template): template.placeholders
        case .text(let template): template.placeholders
        }
    }
}

/// The messages that an event sends over open streams.
package struct StreamPush: Sendable {
    /// The key of the route whose streams they are.
    package var route: String
    package var events: [EventStream.Event]
    /// The end of the streams after them, with code and reason for WebSockets; `nil` if they stay open.
    package var close: WebSocketScript.Close?
    package var devices: Event.DeviceSelection

    /// A short description of the event.
    var words: String {
        let count = events.count
        let sent =
            count == 0
            ? [] : ["\(count == 1 ? "an event is sent" : "\(count) events are sent") to the streams of \(route)"]
        return (sent + (close == nil ? [] : ["the streams of \(route) end"])).joined(separator: ", and ")
    }
}

/// The messages of a WebSocket after its handshake.
package struct WebSocketScript: Sendable {
    package var messages: [Message]
    /// A Boolean value that indicates whether the messages of the client are sent back.
    package var echoes: Bool
    /// The subprotocols that the server speaks.
    package var subprotocols: [String]
    /// The close frame after the server's last message; `nil` without one.
    package var close: Close?
    /// The code to close with when the token of the handshake is not valid any more; nil when it is not looked at again.
    package var tokenClose: Int?

    /// One message of the server.
    package struct Message: Sendable {
        /// The delay after the previous message, or after the handshake.
        package var after: Duration
        package var data: EventStream.Data
    }

    /// The end of a WebSocket.
    package struct Close: Sendable, Hashable {
        /// The delay after the last message.
        package var after: Duration
        package var code: Int
        package var reason: String
    }

    var placeholders: [Placeholder] {
        messages.flatMap { $0.data.placeholders }
    }
}
