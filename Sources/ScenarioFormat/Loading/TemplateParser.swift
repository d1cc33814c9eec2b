import Basics
import JSON

/// Compiles texts and JSON values with placeholders, and collects what is wrong in them.
struct TemplateParser {
    let placeholders: PlaceholderParser
    var sources: SourceMap
    /// Who wants the text that is being read, where the text itself does not show it.
    var origin: String?
    private(set) var findings: [Finding] = []

    init(vocabulary: PlaceholderParser.Vocabulary, sources: SourceMap) {
        placeholders = PlaceholderParser(vocabulary: vocabulary)
        self.sources = sources
    }

    mutating func text(_ text: String, at position: JSONPosition) -> TextTemplate {
        TextTemplate(
            parts: pieces(of: text, at: position).map { piece in
                switch piece {
                case .literal(let text): .literal(text)
                case .placeholder(let placeholder): .placeholder(placeholder)
                }
            }
        )
    }

    mutating func value(_ value: JSONValue) -> ValueTemplate {
        var compiler = Compiler()
        compile(value, into: &compiler)
        compiler.flush()
        return ValueTemplate(parts: compiler.parts)
    }

    /// Compiles a value that is kept as a tree, in which members may be left out.
    mutating func tree(_ value: JSONValue) -> TreeTemplate {
        switch value.content {
        case _ where !Self.mayHoldPlaceholders(value):
            return .constant(value)
        case .array(let values):
            return .array(values.map { tree($0) })
        case .object(let object):
            return .object(
                object.members.map { member in
                    if Self.mayHoldPlaceholders(member.name) { warn(of: member) }
                    return TreeTemplate.Member(name: member.name, value: tree(member.value))
                }
            )
        case .string(let string):
            let template = text(string, at: value.position)
            if template.parts.count == 1, case .placeholder(let placeholder) = template.parts[0] {
                return .value(placeholder)
            }
            for placeholder in template.placeholders where placeholder.mayBeOmitted {
                report(Self.halfOmitted, at: value.position)
            }
            return .text(template)
        default:
            return .constant(value)
        }
    }

    private static let halfOmitted = Problem(
        message: "\"omit\" leaves a whole value out, and here it is a part of a text",
        advice: "let the placeholder be the whole string"
    )

    /// Tells whether any string in the value could hold a placeholder.
    static func mayHoldPlaceholders(_ value: JSONValue) -> Bool {
        switch value.content {
        case .string(let text): mayHoldPlaceholders(text)
        case .array(let values): values.contains(where: mayHoldPlaceholders)
        case .object(let object): object.members.contains { mayHoldPlaceholders($0.value) }
        default: false
        }
    }

    /// Tells whether a placeholder in the value could ask to be left out.
    static func mayLeaveOut(_ value: JSONValue) -> Bool {
        switch value.content {
        case .string(let text): mayHoldPlaceholders(text) && text.utf8.firstRange(of: "omit".utf8) != nil
        case .array(let values): values.contains(where: mayLeaveOut)
        case .object(let object): object.members.contains { mayLeaveOut($0.value) }
        default: false
        }
    }

    /// Looks at the bytes where they are, because every string of every fixture passes through here.
    static func mayHoldPlaceholders(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return false }
            var offset = 1
            while offset < bytes.count {
                if start[offset] == 0x7B, start[offset - 1] == 0x7B { return true }
                offset += 1
            }
            return false
        }
    }

    /// Where the first `{{` begins.
    private static func openingBraces(in bytes: Substring.UTF8View) -> Substring.UTF8View.Index? {
        var rest = bytes
        while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
            rest = rest[rest.index(after: brace)...]
            if rest.first == UInt8(ascii: "{") { return brace }
        }
        return nil
    }

    // MARK: Values

    /// The bytes that were written since the last placeholder, and the parts before them.
    private struct Compiler {
        var parts: [ValueTemplate.Part] = []
        var bytes: [UInt8] = []

        mutating func append(_ part: ValueTemplate.Part) {
            flush()
            parts.append(part)
        }

        mutating func flush() {
            guard !bytes.isEmpty else { return }
            parts.append(.bytes(bytes))
            bytes = []
        }
    }

    private mutating func compile(_ value: JSONValue, into compiler: inout Compiler) {
        switch value.content {
        case .array(let values):
            compiler.bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { compiler.bytes.append(UInt8(ascii: ",")) }
                compile(value, into: &compiler)
            }
            compiler.bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            compiler.bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { compiler.bytes.append(UInt8(ascii: ",")) }
                if Self.mayHoldPlaceholders(member.name) { warn(of: member) }
                JSONWriter.append(quoted: member.name, to: &compiler.bytes)
                compiler.bytes.append(UInt8(ascii: ":"))
                compile(member.value, into: &compiler)
            }
            compiler.bytes.append(UInt8(ascii: "}"))
        case .string(let text) where Self.mayHoldPlaceholders(text):
            compile(text, at: value.position, into: &compiler)
        default:
            JSONWriter().append(value, to: &compiler.bytes)
        }
    }

    private mutating func compile(_ text: String, at position: JSONPosition, into compiler: inout Compiler) {
        let pieces = pieces(of: text, at: position)
        if pieces.count == 1, case .placeholder(let placeholder) = pieces[0] {
            return compiler.append(.value(placeholder))
        }
        compiler.bytes.append(UInt8(ascii: "\""))
        for piece in pieces {
            switch piece {
            case .literal(let text): compiler.bytes += JSONValue.string(text).utf8(.compact).dropFirst().dropLast()
            case .placeholder(let placeholder): compiler.append(.fragment(placeholder))
            }
        }
        compiler.bytes.append(UInt8(ascii: "\""))
    }

    // MARK: Pieces

    private enum Piece {
        case literal(String)
        case placeholder(Placeholder)
    }

    private mutating func pieces(of text: String, at position: JSONPosition) -> [Piece] {
        guard Self.mayHoldPlaceholders(text) else { return text.isEmpty ? [] : [.literal(text)] }
        var pieces: [Piece] = []
        var rest = Substring(text).utf8
        while let open = Self.openingBraces(in: rest) {
            let before = rest[..<open]
            if !before.isEmpty { pieces.append(.literal(String(Substring(before)))) }
            let inner = rest[open...].dropFirst(2)
            guard let length = Self.expressionLength(inner) else {
                report(Problem(message: "this placeholder is not closed", advice: "end it with \"}}\""), at: position)
                return pieces
            }
            do {
                pieces.append(.placeholder(try placeholders.parse(String(Substring(inner.prefix(length))))))
            } catch {
                report(error, at: position)
            }
            rest = inner.dropFirst(length + 2)
        }
        if !rest.isEmpty { pieces.append(.literal(String(Substring(rest)))) }
        return pieces
    }

    private typealias Problem = PlaceholderParser.Problem

    /// The number of bytes up to the closing `}}`, which is not inside quotes or inner braces.
    private static func expressionLength(_ bytes: Substring.UTF8View) -> Int? {
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        var previous: UInt8 = 0
        for (index, byte) in bytes.enumerated() {
            if isQuoted {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isQuoted = false
                }
                previous = 0
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isQuoted = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}") where depth > 0: depth -= 1
            case UInt8(ascii: "}") where previous == byte: return index - 1
            case UInt8(ascii: "}"):
                previous = byte
                continue
            default: break
            }
            previous = 0
        }
        return nil
    }

    private mutating func warn(of member: JSONObject.Member) {
        findings.append(
            Finding(
                .warning,
                id: "scenario/placeholder-name",
                "the name \"\(member.name)\" is sent as it stands, because placeholders are only filled in in values"
                    .printable,
                at: sources.place(of: member.namePosition)
            )
        )
    }

    private mutating func report(_ problem: Problem, at position: JSONPosition) {
        let advice = [problem.advice, origin].compactMap(\.self)
        findings.append(
            Finding(
                .error,
                id: "scenario/placeholder",
                problem.message.printable,
                at: sources.place(of: position),
                advice: advice.isEmpty ? nil : advice.joined(separator: "; ").printable
            )
        )
    }
}
