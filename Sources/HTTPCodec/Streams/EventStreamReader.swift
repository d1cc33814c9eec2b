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
