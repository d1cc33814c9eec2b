import Basics

/// Writes values as JSON text: members in their order, numbers with their exact text, escapes where JSON demands them.
package struct JSONWriter: Sendable {
    package var style: JSONStyle

    package init(_ style: JSONStyle = .compact) {
        self.style = style
    }

    /// Appends the text of a value, without recursion, so that no depth can overflow a thread's stack.
    package func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        var frames: [Frame] = []
        begin(value, frames: &frames, to: &bytes)
        while !frames.isEmpty {
            let top = frames.count - 1
            let number = frames[top].next
            frames[top].next += 1
            switch frames[top].content {
            case .array(let elements) where number < elements.count:
                separate(number, depth: frames.count, in: &bytes)
                begin(elements[number], frames: &frames, to: &bytes)
            case .object(let object) where number < object.count:
                separate(number, depth: frames.count, in: &bytes)
                JSONWriter.append(quoted: object.members[number].name, to: &bytes)
                bytes.append(.colon)
                if style == .pretty { bytes.append(.space) }
                begin(object.members[number].value, frames: &frames, to: &bytes)
            case .object:
                frames.removeLast()
                end(number, with: .closeBrace, depth: frames.count, in: &bytes)
            default:
                frames.removeLast()
                end(number, with: .closeBracket, depth: frames.count, in: &bytes)
            }
        }
    }

    /// An array or object that is being written.
    private struct Frame {
        var content: JSONValue.Content
        var next = 0
    }

    /// Writes a scalar, or the bracket that opens anything else.
    private func begin(_ value: JSONValue, frames: inout [Frame], to bytes: inout [UInt8]) {
        switch value.content {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(true): bytes.append(contentsOf: "true".utf8)
        case .bool(false): bytes.append(contentsOf: "false".utf8)
        case .number(let number): bytes.append(contentsOf: number.text.utf8)
        case .string(let string): JSONWriter.append(quoted: string, to: &bytes)
        case .array:
            bytes.append(.openBracket)
            frames.append(Frame(content: value.content))
        case .object:
            bytes.append(.openBrace)
            frames.append(Frame(content: value.content))
        }
    }

    /// Writes the separator before an element or member.
    private func separate(_ number: Int, depth: Int, in bytes: inout [UInt8]) {
        if number > 0 { bytes.append(.comma) }
        breakLine(depth: depth, in: &bytes)
    }

    /// Closes an array or object, on its own line unless it is empty.
    private func end(_ count: Int, with bracket: UInt8, depth: Int, in bytes: inout [UInt8]) {
        if count > 0 { breakLine(depth: depth, in: &bytes) }
        bytes.append(bracket)
    }

    private func breakLine(depth: Int, in bytes: inout [UInt8]) {
        guard style == .pretty else { return }
        bytes.append(.lineFeed)
        for _ in 0..<depth * 2 { bytes.append(.space) }
    }
}

extension JSONWriter {
    /// Appends a string between quotes, with quotes, backslashes and control characters escaped and all else unchanged.
    package static func append(quoted string: String, to bytes: inout [UInt8]) {
        bytes.append(.quote)
        append(unquoted: string, to: &bytes)
        bytes.append(.quote)
    }

    /// Appends what stands between the quotes of a string.
    package static func append(unquoted string: String, to bytes: inout [UInt8]) {
        var string = string
        string.withUTF8 { utf8 in
            // A plain pointer: this is most of what writing costs, above all where nothing is optimized.
            guard let start = utf8.baseAddress else { return }
            var (written, offset) = (0, 0)
            while offset < utf8.count {
                let byte = start[offset]
                offset += 1
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
                let plain = UnsafeBufferPointer(start: start + written, count: offset - 1 - written)
                bytes.append(contentsOf: plain)
                append(escaped: byte, to: &bytes)
                written = offset
            }
            bytes.append(contentsOf: UnsafeBufferPointer(start: start + written, count: offset - written))
        }
    }

    private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(.backslash)
        switch byte {
        case .quote, .backslash: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case .lineFeed: bytes.append(UInt8(ascii: "n"))
        case .carriageReturn: bytes.append(UInt8(ascii: "r"))
        case .tab: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(.zero + byte >> 4)
            let low = byte & 0x0F
            bytes.append(low < 10 ? .zero + low : UInt8(ascii: "a") + low - 10)
        }
    }
}

/// The layout of a value as text; both forms are deterministic.
package enum JSONStyle: Sendable, Hashable {
    /// One line without any white space.
    case compact
    /// A line for each member and element, indented by two spaces; no line break at the end.
    case pretty
}

extension JSONValue {
    package func text(_ style: JSONStyle = .compact) -> String {
        String(decoding: utf8(style), as: UTF8.self)
    }

    package func utf8(_ style: JSONStyle = .compact) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter(style).append(self, to: &bytes)
        return bytes
    }
}
