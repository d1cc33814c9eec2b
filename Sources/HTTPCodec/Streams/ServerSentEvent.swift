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
