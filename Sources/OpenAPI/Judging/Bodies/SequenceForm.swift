package import HTTPCodec
package import JSON

/// The way in which the items of a body that is a sequence are separated (OpenAPI 3.2, section 4.14.4).
package enum SequenceForm: Sendable, Hashable {
    /// A JSON text on each line.
    case lines
    /// JSON texts with a record separator in front of each (RFC 7464).
    case records
    /// Server-sent events: an object of the fields of each.
    case events

    package init?(_ type: MediaType) {
        switch type.essence {
        case let name where LineStream.mediaTypes.contains(name): self = .lines
        case "application/json-seq": self = .records
        case "text/event-stream": self = .events
        default: return nil
        }
    }

    /// An item with what separates it from the next one.
    ///
    /// An event is an object of an event's fields; any other value is the data of one.
    package func text(of item: JSONValue) -> String {
        switch self {
        case .lines: LineStream.line(item.text(.compact))
        case .records: "\u{1E}\(item.text(.compact))\n"
        case .events: Self.event(of: item).text
        }
    }

    private static func event(of item: JSONValue) -> ServerSentEvent {
        let names = ["data", "event", "id", "retry"]
        guard let object = item.object, object.members.allSatisfy({ names.contains($0.name) }), !object.isEmpty else {
            return ServerSentEvent(data: item.string ?? item.text(.compact))
        }
        let event = ServerSentEvent(
            type: object["event"]?.string,
            data: object["data"].map { $0.string ?? $0.text(.compact) } ?? "",
            id: object["id"].map { $0.string ?? $0.text(.compact) },
            retry: object["retry"]?.int
        )
        return event.isWritable ? event : ServerSentEvent(data: event.data)
    }
}
