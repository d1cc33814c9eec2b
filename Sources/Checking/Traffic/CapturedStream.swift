import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The events of a captured stream, as a scenario file contains them: server-sent events (WHATWG HTML, section 9.2) or
/// lines of JSON.
struct CapturedStream {
    /// The maximum number of events of a draft.
    private static let most = 1_000

    private(set) var events: [JSONValue] = []
    /// The differences between the events that are sent and the captured body, for a comment.
    private(set) var differences: [String] = []
    /// A Boolean value that indicates whether placeholders replace tokens or personal data.
    private(set) var isConcealed = false

    /// - Returns: `nil` for a body that is not a stream, or that has no event.
    init?(_ body: String, ofType type: String?, _ redaction: inout Redaction) {
        var written = ""
        switch type.flatMap({ MediaType(parsing: $0) })?.essence {
        case "text/event-stream":
            var block = Block()
            for line in Self.lines(of: body) {
                guard line.isEmpty else {
                    block.take(line)
                    continue
                }
                if !block.isEmpty { add(block, &written, &redaction) }
                block = Block()
            }
            if !block.isEmpty { differences.append("left out: the end of the stream, which is not a complete event") }
        case "application/x-ndjson":
            for line in Self.lines(of: body) where !line.isEmpty {
                guard let value = (try? JSONParser(duplicateNames: .lastWins).parse(Array(line.utf8)))?.root,
                    !DraftText.isTooDeep(value)
                else { return nil }
                let event = redaction.value(value)
                if event != value { isConcealed = true }
                written += LineStream.line(event.text())
                let draft: Draft<DraftKeys.StreamEvent> = [.json: DraftText.literal(event)]
                events.append(draft.json)
            }
        default: return nil
        }
        guard !events.isEmpty else { return nil }
        if events.count > Self.most {
            differences.append("left out: \(events.count - Self.most) further events of the stream")
            events.removeLast(events.count - Self.most)
        }
        if differences.isEmpty, !isConcealed, written.exact != body.exact {
            differences.append(
                "the events are the same as in the capture, but their white space and line ends differ"
            )
        }
    }

    private mutating func add(_ block: Block, _ written: inout String, _ redaction: inout Redaction) {
        var event = Draft<DraftKeys.StreamEvent>()
        var sent = ServerSentEvent()
        if let name = block.type, !name.isEmpty {
            sent.type = plain(name, &redaction)
            event[.event] = sent.type.map { .string($0) }
        }
        if let id = block.id {
            sent.id = plain(id, &redaction)
            event[.id] = sent.id.map { .string($0) }
        }
        if let retry = block.retry {
            sent.retry = retry
            event[.retry] = .string(DurationText.text(.milliseconds(retry)))
        }
        if !block.comments.isEmpty {
            let comment = plain(block.comments.joined(separator: "\n"), &redaction)
            written += ServerSentEvent.comment(comment)
            event[.comment] = .string(comment)
        }
        if let data = block.data {
            let value = (try? JSONParser(duplicateNames: .lastWins).parse(Array(data.utf8)))?.root
            if let value, value.object != nil || value.array != nil, !DraftText.isTooDeep(value) {
                let shown = redaction.value(value)
                if shown != value { isConcealed = true }
                sent.data = shown.text()
                event[.json] = DraftText.literal(shown)
            } else {
                let shown = redaction.document(data) ?? Redaction.placeholder
                if shown.exact != data.exact { isConcealed = true }
                sent.data = shown
                event[.text] = .string(DraftText.literal(sent.data))
            }
        }
        if sent != ServerSentEvent() { written += sent.text }
        events.append(event.json)
    }

    private mutating func plain(_ text: String, _ redaction: inout Redaction) -> String {
        let shown = redaction.plain(text)
        if shown.exact != text.exact { isConcealed = true }
        return shown
    }

    /// The lines without a byte order mark.
    private static func lines(of text: String) -> [String] {
        let bytes = text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? text.utf8.dropFirst(3) : text.utf8[...]
        var lines = ServerSentEvent.lines(of: String(Substring(bytes)))
        // A line break ends a line, and begins none.
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// The fields of one event.
    private struct Block {
        var type: String?
        var id: String?
        var retry: Int?
        var comments: [String] = []
        var data: String?

        var isEmpty: Bool { type == nil && id == nil && retry == nil && comments.isEmpty && data == nil }

        mutating func take(_ line: String) {
            let field = ServerSentEvent.field(of: line.utf8)
            let value = String(decoding: field.value, as: UTF8.self)
            switch field.name {
            case "": comments.append(value)
            case "data": data = data.map { "\($0)\n\(value)" } ?? value
            case "event": type = value
            case "id": if !value.utf8.contains(0) { id = value }
            case "retry": if value.utf8.allSatisfy(\.isDigit), let number = Int(value) { retry = number }
            default: break
            }
        }
    }
}
