import Basics
import JSON

/// Compiles texts and JSON values with placeholders, and collects what is wrong in them.
struct TemplateParser {
    let placeholders: PlaceholderParser
    var sources: SourceMap
    /// The use of the text that is being read, if the text itself does not show it.
    var origin: String?
    private(set) var findings: [Finding] = []

    init(vocabulary: PlaceholderParser.Vocabulary, sources: SourceMap) {
        placeholders = PlaceholderParser(vocabulary: vocabulary)
        self.sources = sources
    }

    mutating func text(_ text: String, at position: JSONPosition) -> TextTemplate {
        TextTemplate(parts: pieces(of: text, at: position))
    }

    /// Compiles a value that is kept as a tree, in which members may be left out.
    mutating func tree(_ value: JSONValue) -> TreeTemplate {
        switch value.content {
        case _ where !Self.mayHoldPlaceholders(value):
            warn(ofNamesIn: value)
            return .constant(value)
        case .array(let values):
            return .array(values.map { tree($0) }, at: value.position)
        case .object(let object):
            return .object(
                object.members.map { member in
                    if Self.mayHoldPlaceholders(member.name) { warn(of: member) }
                    return TreeTemplate.Member(
                        name: member.name,
                        namePosition: member.namePosition,
                        value: tree(member.value)
                    )
                },
                at: value.position
            )
        case .string(let string):
            let template = text(string, at: value.position)
            if template.parts.count == 1, case .placeholder(let placeholder) = template.parts[0] {
                return .value(placeholder, at: value.position)
            }
            for placeholder in template.placeholders where placeholder.mayBeOmitted {
                report(Self.halfOmitted, at: value.position)
            }
            return .text(template, at: value.position)
        default:
            return .constant(value)
        }
    }

    private static let halfOmitted = Problem(
        message: "\"omit\" omits a whole value, but here the placeholder is part of a string",
        advice: "make the placeholder the whole string"
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
        case .string(let text): mayHoldPlaceholders(text) && mayHoldOmit(text)
        case .array(let values): values.contains(where: mayLeaveOut)
        case .object(let object): object.members.contains { mayLeaveOut($0.value) }
        default: false
        }
    }

    private static func mayHoldOmit(_ text: String) -> Bool {
        var rest = text.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "o")) {
            rest = rest[start...]
            if rest.starts(with: "omit".utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
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

    /// Returns the place where the first `{{` begins.
    private static func openingBraces(in bytes: Substring.UTF8View) -> Substring.UTF8View.Index? {
        var rest = bytes
        while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
            rest = rest[rest.index(after: brace)...]
            if rest.first == UInt8(ascii: "{") { return brace }
        }
        return nil
    }

    // MARK: Pieces

    private mutating func pieces(of text: String, at position: JSONPosition) -> [TextTemplate.Part] {
        guard Self.mayHoldPlaceholders(text) else { return text.isEmpty ? [] : [.literal(text)] }
        var pieces: [TextTemplate.Part] = []
        var rest = Substring(text).utf8
        while let open = Self.openingBraces(in: rest) {
            let before = rest[..<open]
            if !before.isEmpty { pieces.append(.literal(String(Substring(before)))) }
            let inner = rest[open...].dropFirst(2)
            guard let length = Self.expressionLength(inner) else {
                report(
                    Problem(message: "the placeholder is not closed", advice: "close the placeholder with \"}}\""),
                    at: position
                )
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
        var text = Substring(bytes)
        return text.withUTF8 { bytes in bytes.baseAddress.flatMap { expressionLength($0, bytes.count) } }
    }

    /// By a pointer: a build for debugging would take ten times as long with a view of a text.
    private static func expressionLength(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        var previous: UInt8 = 0
        var index = 0
        while index < count {
            let byte = bytes[index]
            index += 1
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
            case UInt8(ascii: "}") where previous == byte: return index - 2
            case UInt8(ascii: "}"):
                previous = byte
                continue
            default: break
            }
            previous = 0
        }
        return nil
    }

    private mutating func warn(ofNamesIn value: JSONValue) {
        switch value.content {
        case .array(let values): for value in values { warn(ofNamesIn: value) }
        case .object(let object):
            for member in object.members {
                if Self.mayHoldPlaceholders(member.name) { warn(of: member) }
                warn(ofNamesIn: member.value)
            }
        default: break
        }
    }

    private mutating func warn(of member: JSONObject.Member) {
        findings.append(
            Finding(
                .warning,
                id: "scenario/placeholder-name",
                "the name \"\(member.name)\" is sent unchanged, because placeholders are expanded in values, not in names"
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

extension ValueType<TextTemplate> {
    /// A text with placeholders.
    static func template(_ form: TextForm) -> Self {
        Self(.text(form)) { tree, builder in
            tree.string.map { builder.templates.text($0, at: tree.position) }
        }
    }
}

extension String {
    /// Returns the text after a prefix, unless it is empty.
    func dropping(_ prefix: String, orNothing: Bool = false) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        let rest = utf8.dropFirst(prefix.utf8.count)
        return rest.isEmpty && !orNothing ? nil : String(Substring(rest))
    }

    func droppingSuffix(_ suffix: String) -> String? {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
    }

    func splitAtLastDot() -> (String, String?) {
        guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")) else { return (self, nil) }
        return (String(self[..<dot]), String(self[utf8.index(after: dot)...]))
    }
}
