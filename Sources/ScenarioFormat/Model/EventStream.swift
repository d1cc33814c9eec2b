/// A response whose body comes event by event on the virtual clock: server-sent events, or lines of JSON.
package struct EventStream: Sendable {
    package var events: [Event]
    /// Whether each event is a line of JSON, and not a server-sent event.
    package var areLines: Bool
    /// Whether the stream stays open after its last event.
    package var staysOpen: Bool
    package var tokenAt: TokenCheck

    /// One event.
    package struct Event: Sendable {
        /// How long after the event before it, or after the opening.
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

    /// What an event carries.
    package enum Data: Sendable {
        case none
        case json(ValueTemplate)
        case text(TextTemplate)
    }

    /// When the token that opened the stream is looked at.
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

/// What an event sends over streams that are open.
package struct StreamPush: Sendable {
    /// The key of the route whose streams they are.
    package var route: String
    package var events: [EventStream.Event]
    /// How the streams end after them, with code and reason for WebSockets; nil when they stay open.
    package var close: WebSocketScript.Close?
    package var devices: Event.DeviceSelection

    /// What happens, in a few words for people.
    var words: String {
        let count = events.count
        let sent =
            count == 0 ? [] : ["\(count == 1 ? "an event goes" : "\(count) events go") into the streams of \(route)"]
        return (sent + (close == nil ? [] : ["the streams of \(route) end"])).joined(separator: ", and ")
    }
}
