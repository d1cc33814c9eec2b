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
