/// One event of a stream of server-sent events (WHATWG HTML, section 9.2).
package struct ServerSentEvent: Sendable, Hashable {
    /// The type; nil for the usual one, `message`.
    package var type: String?
    package var data: String
    /// Sets the last event's identifier; nil leaves it, an empty one takes it back.
    package var id: String?
    /// The time that the client should wait before it reconnects, in milliseconds.
    package var retry: Int?

    package init(type: String? = nil, data: String = "", id: String? = nil, retry: Int? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }

    /// A Boolean value that indicates whether the format can carry the event: type and identifier have no line break,
    /// the identifier no NUL.
    package var isWritable: Bool {
        let broken = [type, id].compactMap(\.self).contains { text in
            text.utf8.contains { $0 == 0x0A || $0 == 0x0D }
        }
        return !broken && id?.utf8.contains(0) != true && (retry ?? 0) >= 0
    }

    /// The event as it is sent, its empty line included; each line of the data is a separate field.
    ///
    /// An event without data is not dispatched by a client; its identifier and its waiting time still count.
    package var text: String {
        var text = ""
        if let retry { text += "retry: \(retry)\n" }
        if let id { text += id.isEmpty ? "id\n" : "id: \(id)\n" }
        if let type { text += "event: \(type)\n" }
        if !data.isEmpty || (id == nil && retry == nil) {
            for line in Self.lines(of: data) { text += "data: \(line)\n" }
        }
        return text + "\n"
    }

    /// A comment, which keeps a connection alive and which clients ignore.
    ///
    /// No empty line follows it: that would end an event, which some clients then dispatch without data.
    package static func comment(_ comment: String) -> String {
        lines(of: comment).map { ": \($0)\n" }.joined()
    }

    /// The parts of a text that CR LF, LF and CR separate.
    package static func lines(of text: String) -> [String] {
        var lines: [[UInt8]] = [[]]
        var endedByReturn = false
        for byte in text.utf8 {
            switch byte {
            case 0x0A where endedByReturn: break
            case 0x0A, 0x0D: lines.append([])
            default: lines[lines.count - 1].append(byte)
            }
            endedByReturn = byte == 0x0D
        }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The name and the value of a line that is not empty; a comment has an empty name.
    package static func field(of line: some Collection<UInt8>) -> (name: String, value: [UInt8]) {
        let name = line.prefix { $0 != 0x3A }
        let value = line.dropFirst(name.count + 1)
        return (String(decoding: name, as: UTF8.self), Array(value.first == 0x20 ? value.dropFirst() : value))
    }
}

/// Reads a stream of events as a client does, from bytes in pieces of any size (WHATWG HTML, section 9.2.6).
package struct EventStreamReader: Sendable {
    /// An event that a client dispatches.
    package struct Dispatch: Sendable, Hashable {
        package var type: String
        package var data: String
        package var lastEventID: String

        package init(type: String = "message", data: String, lastEventID: String = "") {
            self.type = type
            self.data = data
            self.lastEventID = lastEventID
        }
    }

    /// The value that a client sends as `Last-Event-ID` when it reconnects.
    package private(set) var lastEventID = ""
    /// The requested wait before that, in milliseconds.
    package private(set) var retry: Int?
    /// A Boolean value that indicates whether an event or a line was larger than the limit; nothing is read after it.
    package private(set) var isTooLarge = false

    private let limit: Int
    private var line: [UInt8] = []
    private var endedByReturn = false
    private var isFirstLine = true
    private var data: [UInt8] = []
    private var type = ""
    private var id = ""

    /// - Parameter limit: The most bytes of an event's data and of a line; 1 MiB.
    package init(limit: Int = 1 << 20) {
        self.limit = limit
    }

    /// Reads on and returns the events that are complete.
    package mutating func read(_ bytes: some Sequence<UInt8>) -> [Dispatch] {
        var events: [Dispatch] = []
        for byte in bytes where !isTooLarge {
            switch byte {
            case 0x0A where endedByReturn: break
            case 0x0A, 0x0D:
                if let event = endLine() { events.append(event) }
            default:
                line.append(byte)
                if line.count > limit { isTooLarge = true }
            }
            endedByReturn = byte == 0x0D
        }
        return events
    }

    private mutating func endLine() -> Dispatch? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        if line.isEmpty { return dispatch() }
        let field = ServerSentEvent.field(of: line)
        take(field.name, field.value)
        return nil
    }

    /// Takes a field; the one with the empty name is a comment, and unknown ones are ignored.
    private mutating func take(_ name: String, _ value: [UInt8]) {
        switch name {
        case "data":
            data.append(contentsOf: value)
            data.append(0x0A)
            if data.count > limit + 1 { isTooLarge = true }
        case "event": type = String(decoding: value, as: UTF8.self)
        case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry":
            guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
            retry = Int(String(decoding: value, as: UTF8.self)) ?? retry
        default: break
        }
    }

    private mutating func dispatch() -> Dispatch? {
        lastEventID = id
        defer {
            data = []
            type = ""
        }
        if data.isEmpty { return nil }
        return Dispatch(
            type: type.isEmpty ? "message" : type,
            data: String(decoding: data.dropLast(), as: UTF8.self),
            lastEventID: lastEventID
        )
    }
}

/// Streams of JSON values, one on each line: `application/x-ndjson`.
package enum LineStream {
    /// The names under which such streams are known.
    package static let mediaTypes: Set = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
        "application/json-lines", "application/stream+json",
    ]

    /// A value's line; a text that already has line breaks, such as indented JSON, becomes one line.
    ///
    /// Between tokens of JSON a line break is a space, and within its strings none can stand, so the value stays.
    package static func line(_ json: String) -> String {
        String(decoding: json.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self) + "\n"
    }
}
