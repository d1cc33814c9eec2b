import JSON

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

extension EventStream {
    /// The keys of a response with events.
    static let keys = [
        ObjectKey<EventStream>("staysOpen", ValueType<Bool>.boolean) { $0.staysOpen = $1 }
            .summary("If true, the stream remains open after its last event.").otherwise("`false`"),
        ObjectKey<EventStream>("tokenAt", ValueType<TokenCheck>.word) { $0.tokenAt = $1 }
            .summary("The time of the token check: when the stream opens, or also before each event.")
            .otherwise("`\"opening\"`"),
    ]

    /// Reads the events of a response, which are the lines of a body where its `Content-Type` is one of JSON lines.
    init?(of tree: JSONValue, _ builder: inout ScenarioBuilder) {
        guard let events = tree["events"]?.array else { return nil }
        let type = tree["headers"].members.first { $0.name.lowercased() == "content-type" }?.value.string
        let areLines = ["application/x-ndjson", "application/ndjson", "application/jsonl"].contains { name in
            type?.lowercased().hasPrefix(name) ?? false
        }
        if areLines { events.forEach { Self.reportIdleInLines($0, &builder) } }
        self.init(events: [], areLines: areLines, staysOpen: false, tokenAt: .opening)
        self.events = events.compactMap { Event.keys.read($0, &builder) }
        for key in Self.keys { key.read(tree, into: &self, &builder) }
    }

    private static func reportIdleInLines(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        for name in ["event", "id", "comment"] {
            guard let value = tree[name] else { continue }
            builder.report(
                "scenario/idle-key",
                "\"\(name)\" has no effect in JSON lines, which use only \"json\"",
                at: value.position
            )
        }
    }
}

extension EventStream.Event: ModelObject {
    init() { self.init(after: .zero, data: .none) }

    static let keys = Keys(
        "streamEvent",
        "an event in a stream",
        "one event in a stream",
        exclusive: [["json", "text"]]
    ) {
        Key("after", \.after, .duration)
            .summary("The delay after the previous event, or after the stream opens, on the virtual clock.")
            .example("2s")
        Key("json", \.data, .jsonData)
            .summary(
                "The event's data as JSON. Placeholders are expanded when the stream opens or the event is pushed."
            ).example(["progress": 50])
        Key("text", \.data, .textData)
            .summary(
                "The event's data as text. Placeholders are expanded when the stream opens or the event is pushed."
            ).example("half done")
        Key("event", \.type, .text(.filledLine), "The event's type.").otherwise("`\"message\"`").example("progress")
        Key("id", \.id, .text(.line))
            .summary(
                "The event's identifier. A client that sends the identifier as `Last-Event-ID` receives the later events."
            )
            .example("42")
        Key("retry", \.retry, .duration, "The time that the client should wait before reconnecting.").example("3s")
        Key("comment", \.comment, .text(.any), "A comment, which clients ignore.").example("still there")
    }
}

extension ValueType<EventStream.Data> {
    static var jsonData: Self { Self(.anything) { .json($1.templates.tree($0).complete) } }
    static var textData: Self { .of(.template(.any), EventStream.Data.text) }
}
