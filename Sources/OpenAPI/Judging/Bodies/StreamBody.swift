import Basics
import HTTPCodec
import JSON

/// A body that is a sequence of items, each judged by itself (OpenAPI 3.2, section 4.14.4).
struct StreamBody {
    let rule: BodyEvaluation
    let form: SequenceForm

    /// Judges each item, and since 3.2 all of them as an array where there is a schema for that.
    ///
    /// An item that ends with the body and not with its own end may have been cut off, and is not judged unless it is
    /// whole.
    func judge(_ bytes: [UInt8], into list: inout ViolationList) {
        var items: [JSONValue] = []
        for item in texts(in: bytes) {
            guard let value = value(of: item.text) else {
                guard item.isEnded else { continue }
                let position = JSONPosition(line: Int32(clamping: item.line), column: 1)
                let message =
                    "item \(items.count + 1) of \(rule.side.words)'s body, on line \(item.line), is not valid JSON"
                return rule.report("contract/body-syntax", .error, message, at: position, in: &list)
            }
            if form == .events, !item.isEnded { continue }
            items.append(value)
        }
        if let schema = rule.content.itemSchema {
            for (number, item) in items.enumerated() {
                rule.judge([item], by: schema, item: number + 1, into: &list)
            }
        }
        // What a schema of a stream is about was not said before 3.2.
        guard rule.judge.contract.version == .v32 else { return }
        rule.judge([.array(items)], into: &list)
    }

    private struct Item {
        var text: ArraySlice<UInt8>
        /// Counts from one.
        var line: Int
        var isEnded: Bool
    }

    private func texts(in bytes: [UInt8]) -> [Item] {
        switch form {
        case .lines: items(in: bytes, between: 0x0A)
        case .records: items(in: bytes, between: 0x1E)
        case .events: events(in: bytes)
        }
    }

    private func items(in bytes: [UInt8], between separator: UInt8) -> [Item] {
        var line = 1
        return bytes.split(separator: separator, omittingEmptySubsequences: false).compactMap { text in
            let isEnded = text.endIndex < bytes.endIndex
            defer { line += text.count { $0 == 0x0A } + (isEnded && separator == 0x0A ? 1 : 0) }
            guard !text.allSatisfy(Self.isBlank) else { return nil }
            return Item(text: text, line: line, isEnded: isEnded || text.last == 0x0A)
        }
    }

    /// The lines of each event; an empty line ends it (HTML, section 9.2.5).
    private func events(in bytes: [UInt8]) -> [Item] {
        var bytes = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        var items: [Item] = []
        var (line, start, first) = (1, bytes.startIndex, 1)
        var lineStart = bytes.startIndex
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == 0x0A || bytes[index] == 0x0D else {
                index += 1
                continue
            }
            let isEmpty = index == lineStart
            let end = index
            index += bytes[index] == 0x0D && index + 1 < bytes.endIndex && bytes[index + 1] == 0x0A ? 2 : 1
            line += 1
            lineStart = index
            guard isEmpty else { continue }
            items.append(Item(text: bytes[start..<end], line: first, isEnded: true))
            (start, first) = (index, line)
        }
        return items.filter { fields(of: $0.text).contains { $0.name == "data" } }
    }

    private func value(of text: ArraySlice<UInt8>) -> JSONValue? {
        guard form == .events else { return try? JSONParser(duplicateNames: .lastWins).parse(Array(text)).root }
        var event = JSONObject()
        for (name, value) in fields(of: text) {
            switch name {
            case "data": event["data"] = .string((event["data"]?.string.map { $0 + "\n" } ?? "") + value)
            case "retry": event["retry"] = Int(value).map { .number(JSONNumber($0)) } ?? .string(value)
            case "event", "id": event[name] = .string(value)
            default: break
            }
        }
        return .object(event)
    }

    /// A line is a name, a colon and a value, with one space between them that is left out; a colon first is a comment.
    private func fields(of text: ArraySlice<UInt8>) -> [(name: String, value: String)] {
        text.split { $0 == 0x0A || $0 == 0x0D }.compactMap { line in
            let name = line.prefix { $0 != 0x3A }
            guard !name.isEmpty else { return nil }
            var value = line.dropFirst(name.count + 1)
            if value.first == 0x20 { value = value.dropFirst() }
            return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
}
