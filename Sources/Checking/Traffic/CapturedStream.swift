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
        if differences.isEmpty, !isConcealed, !written.utf8.elementsEqual(body.utf8) {
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
            event[.event] = sent.type.map { .string(DraftText.literal($0)) }
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
                sent.data = plain(data, &redaction)
                event[.text] = .string(DraftText.literal(sent.data))
            }
        }
        if sent != ServerSentEvent() { written += sent.text }
        events.append(event.json)
    }

    private mutating func plain(_ text: String, _ redaction: inout Redaction) -> String {
        let shown = redaction.plain(text)
        if !shown.hasSameUTF8(as: text) { isConcealed = true }
        return shown
    }

    /// The lines without a byte order mark; CR LF, LF and CR end a line.
    private static func lines(of text: String) -> [String] {
        var bytes = Array(text.utf8)[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        var lines: [String] = []
        while let end = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            lines.append(String(decoding: bytes[..<end], as: UTF8.self))
            let isPair = bytes[end] == 0x0D && bytes[end...].dropFirst().first == 0x0A
            bytes = bytes[(end + (isPair ? 2 : 1))...]
        }
        if !bytes.isEmpty { lines.append(String(decoding: bytes, as: UTF8.self)) }
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
            let parts = line.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? String(Substring(parts[1])) : ""
            if value.utf8.first == UInt8(ascii: " ") { value.removeFirst() }
            switch String(Substring(parts[0])) {
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
