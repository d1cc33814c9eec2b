import Basics
import HTTPCodec
import JSON

/// Reads the expression between `{{` and `}}`.
///
/// Its form is a name, arguments in parentheses where the name takes some, and after `??` a JSON value that stands in
/// when a request lacks what is named.
struct PlaceholderParser {
    struct Problem: Error {
        var message: String
        var advice: String?
    }

    let vocabulary: Vocabulary

    func parse(_ text: String) throws(Problem) -> Placeholder {
        let parts = PlaceholderText.split(text[...], at: "??", limit: 2)
        let (expression, conversion) = try converted(PlaceholderText.trimmed(parts[0]))
        var placeholder = Placeholder(source: try source(expression), text: PlaceholderText.trimmed(text[...]))
        placeholder.conversion = conversion
        guard parts.count == 2 else { return placeholder }
        if placeholder.source.isAlwaysThere, conversion == nil {
            throw Problem(
                message: "\"\(PlaceholderText.trimmed(parts[0]))\" always has a value, so \"??\" means nothing",
                advice: "remove what follows"
            )
        }
        let fallback = PlaceholderText.trimmed(parts[1])
        if fallback == "omit" {
            guard vocabulary.mayOmit else {
                throw Problem(
                    message: "\"omit\" means nothing here, because nothing can be left out",
                    advice: "it stands for a whole member or element of an item or a JSON body"
                )
            }
            placeholder.mayBeOmitted = true
        } else {
            placeholder.fallback = try json(fallback)
        }
        return placeholder
    }

    /// Takes `NAME as KIND` apart.
    private func converted(_ text: String) throws(Problem) -> (String, Placeholder.Conversion?) {
        let parts = PlaceholderText.split(text[...], at: " as ", limit: 2)
        guard parts.count == 2 else { return (text, nil) }
        return (PlaceholderText.trimmed(parts[0]), try conversion(PlaceholderText.trimmed(parts[1])))
    }

    private func conversion(_ text: String) throws(Problem) -> Placeholder.Conversion {
        let (name, arguments) = try PlaceholderText.call(text)
        switch (name, arguments) {
        case ("number", nil): return .number
        case ("text", nil): return .text
        case ("boolean", nil): return .boolean
        case ("words", let arguments?):
            let prefix = PlaceholderText.trimmed(arguments)
            guard !prefix.isEmpty else { throw Problem(message: "\"words\" needs what they begin with: words(#)") }
            return .words(prefix: prefix)
        default:
            throw Problem(
                message: "a value cannot be turned into \"\(text)\"",
                advice: Self.advice(for: name, among: ["number", "text", "boolean", "words(#)"])
            )
        }
    }

    private func json(_ text: String) throws(Problem) -> JSONValue {
        do {
            return try JSONParser(duplicateNames: .refused).parse(text).root
        } catch {
            guard !text.isEmpty else { throw Problem(message: "there is nothing after \"??\"") }
            throw Problem(
                message: "\"\(text)\" after \"??\" is not JSON: \(error.sentence)",
                advice: "a text needs its quotes: ?? \(JSONValue.string(text))"
            )
        }
    }

    // MARK: Sources

    private func source(_ expression: String) throws(Problem) -> Placeholder.Source {
        if expression.utf8.first == UInt8(ascii: "\"") { return .constant(try constant(expression)) }
        let (name, arguments) = try PlaceholderText.call(expression)
        switch name {
        case "clock": return try ClockArguments.source(arguments)
        case "random.integer": return .randomInteger(try RandomArguments.range(arguments))
        case "random.hex": return .randomHex(try RandomArguments.length(arguments))
        case "random.choice": return .randomChoice(try RandomArguments.choices(arguments))
        default: break
        }
        if !vocabulary.hasRequest, name == "request" || name.utf8.starts(with: "request.".utf8) {
            throw Problem(message: "there is no request here that \"\(name)\" could be of")
        }
        var source = simple(name)
        if source == nil { source = try stored(name) }
        if source == nil { source = try request(name) }
        if source == nil { source = try declared(name) }
        guard let source else { throw Self.unknown(name) }
        guard arguments == nil else { throw Problem(message: "\"\(name)\" takes no arguments") }
        return source
    }

    private func constant(_ expression: String) throws(Problem) -> JSONValue {
        do {
            return try JSONParser().parse(expression).root
        } catch {
            throw Problem(message: "\(expression) is no text: \(error.sentence)")
        }
    }

    private func simple(_ name: String) -> Placeholder.Source? {
        switch name {
        case "uuid": .uuid
        case "device": .deviceName
        case "account": .accountName
        case "session": .sessionName
        case "exchange": .exchangeNumber
        case "request.method": .method
        case "request.target": .target
        case "request.path": .path
        case "request.body": .body(nil)
        default: nil
        }
    }

    private func request(_ name: String) throws(Problem) -> Placeholder.Source? {
        if let text = name.dropping("request.body#", orNothing: true) { return .body(try pointer(text)) }
        if let rest = name.dropping("request.path.") {
            return .pathParameter(try known(rest, among: vocabulary.pathParameters, as: "path parameter"))
        }
        if let rest = name.dropping("request.header.") {
            guard HTTPFields.isName(rest) else {
                throw Problem(message: "\"\(rest)\" is not the name of a header field")
            }
            return .header(rest)
        }
        if let rest = name.dropping("request.query.") { return .query(rest) }
        if let rest = name.dropping("request.form.") { return .form(rest) }
        if let rest = name.dropping("request.part.") {
            let (part, aspect) = rest.splitAtLastDot()
            if let aspect, !part.isEmpty, let aspect = Placeholder.PartAspect(rawValue: aspect) {
                return .part(part, aspect)
            }
            return .part(rest, .text)
        }
        return nil
    }

    private func declared(_ name: String) throws(Problem) -> Placeholder.Source? {
        if let rest = name.dropping("token.") { return try token(rest) }
        if let rest = name.dropping("counter.") {
            if let name = rest.droppingSuffix(".current") {
                return .currentCounter(try known(name, among: vocabulary.counters, as: "counter"))
            }
            return .counter(try known(rest, among: vocabulary.counters, as: "counter"))
        }
        if let rest = name.dropping("state.") { return .state(try known(rest, among: vocabulary.states, as: "state")) }
        if let rest = name.dropping("origin.") {
            return .originURL(try known(rest, among: vocabulary.origins, as: "origin"))
        }
        if let rest = name.dropping("account.") { return .accountData(try accountData(JSONPointer(tokens: [rest]))) }
        if let text = name.dropping("account#", orNothing: true) { return .accountData(try accountData(pointer(text))) }
        return nil
    }

    private func token(_ rest: String) throws(Problem) -> Placeholder.Source {
        let (kind, aspect) = rest.splitAtLastDot()
        guard let aspect else {
            return .token(kind: try known(rest, among: vocabulary.kinds, as: "token kind"), .value)
        }
        let names = Placeholder.TokenAspect.allCases.map(\.rawValue)
        guard let aspect = Placeholder.TokenAspect(rawValue: aspect) else {
            throw Problem(message: "a token has no \"\(aspect)\"", advice: Self.advice(for: aspect, among: names))
        }
        return .token(kind: try known(kind, among: vocabulary.kinds, as: "token kind"), aspect)
    }

    private func accountData(_ pointer: JSONPointer) throws(Problem) -> JSONPointer {
        guard let first = pointer.tokens.first, !vocabulary.accountData.containsExactly(first) else { return pointer }
        throw Problem(
            message: "no account has \"\(first)\"",
            advice: Self.advice(for: first, among: vocabulary.accountData) ?? "\"accounts\" says what is known of them"
        )
    }

    func pointer(_ text: String) throws(Problem) -> JSONPointer {
        guard let pointer = JSONPointer(text) else {
            throw Problem(message: "\"\(text)\" is not a JSON Pointer", advice: "write it as #/data/id")
        }
        return pointer
    }

    private func known(_ name: String, among known: [String], as noun: String) throws(Problem) -> String {
        guard !known.containsExactly(name) else { return name }
        throw Problem(message: "there is no \(noun) \"\(name)\"", advice: Self.advice(for: name, among: known))
    }

    static func advice(for name: String, among known: [String]) -> String? {
        if let meant = Suggestion.nearest(to: name, among: known) { return "did you mean \"\(meant)\"?" }
        return known.isEmpty ? nil : "there are \(known.joined(separator: ", "))"
    }
}

extension Placeholder.Source {
    /// Whether every request and every session has it.
    fileprivate var isAlwaysThere: Bool {
        switch self {
        case .query, .header, .body, .form, .part, .token, .deviceName, .accountName, .accountData, .found,
            .foundAccountName, .item, .element, .uploadedPart:
            false
        default: true
        }
    }
}
