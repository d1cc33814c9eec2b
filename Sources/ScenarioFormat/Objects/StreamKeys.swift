import Basics
import JSON

/// The keys of one event of a stream.
enum StreamEventKeys: FormatObject {
    static let after = Key(
        "after",
        .duration,
        default: .zero,
        "The delay after the previous event, or after the stream opens, on the virtual clock.",
        example: "2s"
    )
    static let json = Key(
        "json",
        .json(.anything),
        "The event's data as JSON. Placeholders are expanded when the stream opens or the event is pushed.",
        example: ["progress": 50]
    )
    static let text = Key(
        "text",
        .json(.text(.any)),
        "The event's data as text. Placeholders are expanded when the stream opens or the event is pushed.",
        example: "half done"
    )
    static let type = Key(
        "event",
        .json(.text(.filledLine)),
        "The event's type.",
        otherwise: "`\"message\"`",
        example: "progress"
    )
    static let id = Key(
        "id",
        .json(.text(.line)),
        "The event's identifier. A client that sends the identifier as `Last-Event-ID` receives the later events.",
        example: "42"
    )
    static let retry = Key(
        "retry",
        .duration,
        "The time that the client should wait before reconnecting.",
        example: "3s"
    )
    static let comment = Key("comment", .json(.text(.any)), "A comment, which clients ignore.", example: "still there")

    static let shape = ObjectShape(
        "streamEvent",
        "an event in a stream",
        "one event in a stream",
        [after, json, text, type, id, retry, comment],
        exclusive: [[json, text]]
    )
}

extension EventStream {
    static let staysOpen = Key(
        "staysOpen",
        .boolean,
        default: false,
        "If true, the stream remains open after its last event."
    )
    static let tokenAt = Key(
        "tokenAt",
        .word(TokenCheck.self),
        default: .opening,
        "The time of the token check: only when the stream opens, or also before each event."
    )

    /// The settings of a response for its events.
    static let keys: [any FormatKey] = [staysOpen, tokenAt]
}

extension ScenarioBuilder {
    /// Reads the events of a response, which are the lines of a body where its `Content-Type` is one of JSON lines.
    mutating func eventStream(of tree: JSONValue) -> EventStream? {
        guard let events = tree.written(ResponseKeys.events)?.array else { return nil }
        let type = tree[ResponseKeys.headers].first { $0.name.lowercased() == "content-type" }?.value.string
        let areLines = ["application/x-ndjson", "application/ndjson", "application/jsonl"].contains { name in
            type?.lowercased().hasPrefix(name) ?? false
        }
        return EventStream(
            events: events.map { event($0, isLine: areLines) },
            areLines: areLines,
            staysOpen: tree[EventStream.staysOpen],
            tokenAt: tree[EventStream.tokenAt]
        )
    }

    mutating func event(_ tree: JSONValue, isLine: Bool) -> EventStream.Event {
        if isLine {
            for key in [StreamEventKeys.type, StreamEventKeys.id, StreamEventKeys.comment] {
                guard let value = tree[key] else { continue }
                report(
                    "scenario/idle-key",
                    "\"\(key.name)\" has no effect in JSON lines, which use only \"json\"",
                    at: value.position
                )
            }
        }
        return EventStream.Event(
            after: tree[StreamEventKeys.after],
            type: tree[StreamEventKeys.type]?.string,
            id: tree[StreamEventKeys.id]?.string,
            retry: tree[StreamEventKeys.retry],
            comment: tree[StreamEventKeys.comment]?.string,
            data: data(json: tree[StreamEventKeys.json], text: tree[StreamEventKeys.text])
        )
    }

    /// The data of an event or a message.
    mutating func data(json: JSONValue?, text: JSONValue?) -> EventStream.Data {
        if let json { return .json(templates.tree(json).complete) }
        if let text, let string = text.string { return .text(templates.text(string, at: text.position)) }
        return .none
    }
}
