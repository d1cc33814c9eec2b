import Basics
import HTTPCodec
import JSON

/// The required form of a string in a scenario file.
package enum TextForm: Sendable, Hashable {
    /// Any text. Where responses are made it may hold placeholders, which are checked apart.
    case any
    /// Any text but the empty one.
    case filled
    /// A length of time that is not negative.
    case duration
    /// A length of time with an optional minus sign.
    case signedDuration
    /// A transfer rate.
    case rate
    /// A moment by RFC 3339.
    case instant
    /// A moment by RFC 3339, or `now`.
    case start
    /// A path relative to the file that names it.
    case path
    /// A method and a path template.
    case route
    /// A JSON Pointer (RFC 6901).
    case pointer
    /// A name that is valid in a placeholder.
    case name
    /// A field name of HTTP (RFC 9110, section 5.1).
    case fieldName
    /// A word without spaces, such as an authentication scheme (RFC 9110, section 5.6.2).
    case token
    /// The name of a token kind, or `*`.
    case kindOrAll
    /// The number or name of a rule.
    case rule
    case oneOf([String])
}

extension TextForm {
    var expectation: String {
        switch self {
        case .any: "a string"
        case .filled: "a non-empty string"
        case .duration: "a duration such as \"90ms\", \"15s\", \"2h\", \"14d\" or \"1h30m\""
        case .signedDuration: "a duration such as \"90ms\" or \"-5m\""
        case .rate: "a transfer rate such as \"16kB/s\", \"2MB/s\" or \"128kbit/s\""
        case .instant: "a timestamp such as \"2026-03-01T09:00:00Z\" (RFC 3339)"
        case .start: "\"now\" or a timestamp such as \"2026-03-01T09:00:00Z\" (RFC 3339)"
        case .path: "a path relative to this file"
        case .route: "a method and a path, such as \"GET /diaries/{id}\""
        case .pointer: "a JSON Pointer such as \"/data/id\" (RFC 6901)"
        case .name: "a name of letters, digits, \"-\" and \"_\" that starts with a letter"
        case .fieldName: "the name of a header field"
        case .token: "a word such as \"Bearer\""
        case .kindOrAll: "the name of a token kind, or \"*\""
        case .rule: "a rule such as \"B2\" or \"refresh-storm\""
        case .oneOf(let words): words.map { "\"\($0)\"" }.joined(lastBy: "or")
        }
    }

    /// Tells whether a text has this form; where it nearly has, what was probably meant.
    func check(_ text: String) -> Verdict {
        let holds =
            switch self {
            case .any: true
            case .filled: !text.isEmpty
            case .duration: DurationText.parse(text) != nil
            case .signedDuration: DurationText.parseSigned(text) != nil
            case .rate: RateText.parse(text) != nil
            case .instant: VirtualTime(text) != nil
            case .start: text == "now" || VirtualTime(text) != nil
            case .path: FilePath.isPath(text)
            case .route: true  // RouteKey says more precisely what is wrong.
            case .pointer: isPointer(text)
            case .name: isName(text)
            case .fieldName, .token: HTTPFields.isName(text)
            case .kindOrAll: text == "*" || isName(text)
            case .rule: RuleName(text) != nil
            case .oneOf(let words): words.containsExactly(text)
            }
        return holds ? .fine : .wrong(meant: suggestions(for: text))
    }

    enum Verdict {
        case fine
        case wrong(meant: [String])
    }

    private func suggestions(for text: String) -> [String] {
        switch self {
        case .duration, .signedDuration: DurationText.guesses(text)
        case .rule: Suggestion.nearest(to: text, among: RuleName.written).map { [$0] } ?? []
        case .oneOf(let words):
            (Suggestion.nearest(to: text, among: words) ?? ForeignWords.value(for: text, among: words)).map { [$0] }
                ?? []
        case .pointer: Self.pointer(meantBy: text).map { [$0] } ?? []
        default: []
        }
    }

    /// The pointer to the same value as `id`, `data.id`, `#/data/id` or, in JSONPath, `$.data.items[0]`.
    private static func pointer(meantBy text: String) -> String? {
        let rest = text.hasPrefix("#/") ? text.dropFirst(2) : text.hasPrefix("$.") ? text.dropFirst(2) : text[...]
        let isPath = !text.hasPrefix("#/")
        let parts = rest.split(omittingEmptySubsequences: false) { $0 == "/" || isPath && ".[".contains($0) }
        let names = parts.map { isPath && $0.hasSuffix("]") ? $0.dropLast() : $0 }
        let isPlain = names.allSatisfy { name in
            !name.isEmpty
                && name.unicodeScalars.allSatisfy {
                    $0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "_" || $0 == "-"
                }
        }
        return isPlain ? "/" + names.joined(separator: "/") : nil
    }

    private func isPointer(_ text: String) -> Bool {
        guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else { return false }
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "~") else { continue }
            guard let next = bytes.next(), next == UInt8(ascii: "0") || next == UInt8(ascii: "1") else { return false }
        }
        return true
    }

    private func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter else { return false }
        return text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
    }
}

extension UInt8 {
    var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}

extension TextForm {
    /// The forms that have a definition in the JSON Schema, by its name.
    static let named: [(name: String, form: TextForm)] = [
        ("duration", .duration), ("signedDuration", .signedDuration), ("rate", .rate), ("instant", .instant),
        ("start", .start), ("path", .path), ("routeKey", .route), ("pointer", .pointer), ("name", .name),
        ("fieldName", .fieldName), ("word", .token), ("kindOrAll", .kindOrAll), ("rule", .rule),
    ]

    /// The forms of the member names of maps.
    static let ofMemberNames: [Self] = [.name, .fieldName, .pointer, .route, .rule, .token]

    var definitionName: String? { Self.named.first { $0.form == self }?.name }

    /// The form as JSON Schema.
    ///
    /// It is as exact as a regular expression can be. Only the loader knows that a duration has a longest, that
    /// February has no 30th, and that percent-encoded bytes must be UTF-8.
    var schema: JSONObject {
        var schema: JSONObject = ["type": "string"]
        switch self {
        case .any: break
        case .filled: schema["minLength"] = 1
        case .rule: schema["enum"] = .array(RuleName.written.map(JSONValue.string))
        case .oneOf(let words): schema["enum"] = .array(words.map(JSONValue.string))
        default: schema["pattern"] = pattern.map(JSONValue.string)
        }
        return schema
    }

    private var pattern: String? {
        switch self {
        case .any, .filled, .rule, .oneOf: nil
        case .duration: DurationText.pattern(sign: "")
        case .signedDuration: DurationText.pattern(sign: "-?")
        case .rate: RateText.pattern
        case .instant: "^\(Self.instantPattern)$"
        case .start: "^(now|\(Self.instantPattern))$"
        case .path: #"^[^\u0000]+$"#
        case .route: Self.routePattern
        case .pointer: #"^(/([^~]|~[01])*)?$"#
        case .name: "^\(Self.namePattern)$"
        case .kindOrAll: "^([*]|\(Self.namePattern))$"
        case .fieldName, .token: #"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"#
        }
    }

    private static let namePattern = "[A-Za-z][A-Za-z0-9_-]*"

    private static let instantPattern =
        "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)"
        + "([.][0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"

    /// A method in capitals or `*`, and a path of literals, parameters in braces, and perhaps a last `*`.
    private static let routePattern: String = {
        let letter = #"([^/{}?#%*\u0000-\u0020\u007F]|%[0-9A-Fa-f]{2})"#
        let first = #"([^:</{}?#%*\u0000-\u0020\u007F]|%[0-9A-Fa-f]{2})"#
        let parameter = "[A-Za-z_][A-Za-z0-9_-]*"
        return "^([A-Z_-]+|[*]) (?=/)(/([{]\(parameter)[}]|\(first)(\(letter)|[*])*)?)*(/[*](\(parameter))?)?$"
    }()
}
