import Basics
import HTTPCodec
import JSON

/// The required form of a string in a scenario file.
enum TextForm: Sendable, Hashable {
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
    /// A length of time that is not zero.
    case longDuration
    /// A text with a placeholder, where the text alone has no meaning.
    case placeholder
    /// A whole number as text, or a text with a placeholder.
    case numeral
    /// A text that cannot have placeholders.
    case plain
    /// A text without line breaks and NUL.
    case line
    /// The same, and not empty.
    case filledLine
    /// The value of a field of HTTP (RFC 9110, section 5.5).
    case fieldValue
    /// The name of a field that a response may set.
    case responseField
    /// The name of a claim that a kind of token may set.
    case claim
    /// The value of a cookie (RFC 6265, section 4.1.1), or a text with a placeholder.
    case cookieValue
    /// The value of an attribute of a cookie.
    case cookieAttribute
    /// The origin of a page: a scheme, a host and an optional port; or `null`.
    case origin
    /// The absolute URL of a server, with an optional path.
    case baseURL
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
        case .name: "a name that consists of letters, digits, \"-\" and \"_\" and starts with a letter"
        case .fieldName: "a header field name"
        case .token: "a word such as \"Bearer\""
        case .kindOrAll: "the name of a token kind, or \"*\""
        case .rule: "a rule such as \"B2\" or \"refresh-storm\""
        case .longDuration: "a duration longer than 0s, such as \"90ms\" or \"1h30m\""
        case .placeholder: "a placeholder such as \"{{request.body#/ids}}\""
        case .numeral: "a whole number, or a placeholder such as \"{{request.query.page as number ?? 0}}\""
        case .plain: "a string without placeholders"
        case .line: "a string on one line"
        case .filledLine: "a non-empty string on one line"
        case .fieldValue:
            "a field value, which must not contain control characters or begin or end with a space (RFC 9110)"
        case .responseField: "the name of a header field that the server does not set itself"
        case .claim: "the name of a claim other than exp, which \"lifetime\" sets, and jti, which \"jti\" sets"
        case .cookieValue:
            "a cookie value, which must not contain spaces, quotes, commas, semicolons or backslashes (RFC 6265);"
                + " percent-encode these characters"
        case .cookieAttribute: "a cookie attribute, which must not contain semicolons or control characters (RFC 6265)"
        case .origin: "an origin such as \"https://app.example.com\""
        case .baseURL: "a base URL such as \"https://staging.example.com/api\""
        case .oneOf(let words): words.map { "\"\($0)\"" }.joined(lastBy: "or")
        }
    }

    /// Returns whether a text has this form, also where the loader says what is wrong.
    func accepts(_ text: String) -> Bool {
        if case .wrong = check(text) { return false }
        return self != .route || (try? RouteKey(parsing: text)) != nil
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
            case .longDuration: DurationText.parse(text).map { $0 > .zero } ?? false
            case .placeholder: TemplateParser.mayHoldPlaceholders(text)
            case .numeral: TemplateParser.mayHoldPlaceholders(text) || Self.isWholeNumber(text)
            case .plain: true  // The loader says more precisely what is wrong.
            case .claim: !TokenKind.managedClaims.contains(text)
            case .line: Self.isLine(text)
            case .filledLine: !text.isEmpty && Self.isLine(text)
            case .fieldValue: HTTPFields.isValue(text)
            case .responseField: HTTPFields.isName(text)  // The loader says which fields are the server's.
            case .cookieValue: TemplateParser.mayHoldPlaceholders(text) || Cookies.isValue(text)
            case .cookieAttribute:
                !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") }
            case .origin: Self.isOrigin(text)
            case .baseURL: Self.isBaseURL(text)
            case .oneOf(let words): words.contains(text.exact)
            }
        return holds ? .fine : .wrong(meant: suggestions(for: text))
    }

    enum Verdict {
        case fine
        case wrong(meant: [String])
    }

    private func suggestions(for text: String) -> [String] {
        switch self {
        case .longDuration where DurationText.parse(text) != nil: []
        case .duration, .signedDuration, .longDuration: DurationText.guesses(text)
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

    private static func isWholeNumber(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        return digits.allSatisfy(\.isASCIIDigit) && (digits.count == 1 || digits.first != UInt8(ascii: "0"))
            && Int(text) != nil
    }

    private static func isLine(_ text: String) -> Bool {
        !text.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
    }

    private static func isOrigin(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return text == "null" || parts.count == 3 && parts[0].hasSuffix(":") && parts[1].isEmpty && !parts[2].isEmpty
    }

    private static func isBaseURL(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }) else { return false }
        let rest = text.dropFirst(scheme.count)
        return rest.first.map { $0 != "/" } ?? false && !rest.contains { "?#@ ".contains($0) }
    }

    private func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter else { return false }
        return text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
    }
}

extension TextForm {
    /// The forms that have a definition in the JSON Schema, by its name.
    static let named: [(name: String, form: TextForm)] = [
        ("duration", .duration), ("signedDuration", .signedDuration), ("rate", .rate), ("instant", .instant),
        ("start", .start), ("path", .path), ("routeKey", .route), ("pointer", .pointer), ("name", .name),
        ("fieldName", .fieldName), ("responseField", .responseField), ("fieldValue", .fieldValue),
        ("cookieValue", .cookieValue), ("word", .token), ("kindOrAll", .kindOrAll), ("rule", .rule),
    ]

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
        case .fieldName, .token: "^\(Self.tokenPattern)$"
        case .longDuration: "^(?=.*[1-9])" + DurationText.pattern(sign: "").dropFirst()
        case .placeholder: #"\{\{"#
        case .numeral: #"^-?(0|[1-9][0-9]*)$|\{\{"#
        case .plain: #"^(?![\s\S]*\{\{)"#
        case .line: #"^[^\r\n\u0000]*$"#
        case .filledLine: #"^[^\r\n\u0000]+$"#
        case .fieldValue: "^(\(Self.visible)([^\\u0000-\\u0008\\u000A-\\u001F\\u007F]*\(Self.visible))?)?$"
        case .responseField: "^(?!(\(Self.managedFields))$)\(Self.tokenPattern)$"
        case .claim: "^(?!(\(TokenKind.managedClaims.joined(separator: "|")))$)"
        case .cookieValue: #"^[!#-+\--:<-\[\]-~]*$|\{\{"#
        case .cookieAttribute: #"^[^\u0000-\u001F\u007F;]+$"#
        case .origin: "^(null|[^/]*://[^/]+)$"
        case .baseURL: "^https?://[^/?#@ ][^?#@ ]*$"
        }
    }

    private static let tokenPattern = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"

    /// A character of a field value that is neither a space nor a control character.
    private static let visible = #"[^\u0000-\u0020\u007F]"#

    /// The fields that the server sets, in any case of their letters.
    private static let managedFields = StubResponse.managedFields.map { name in
        name.map { $0 == "-" ? "-" : "[\($0.uppercased())\($0)]" }.joined()
    }
    .joined(separator: "|")

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
