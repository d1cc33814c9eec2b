import Findings
import JSONText

/// Reads the expression between `{{` and `}}`.
///
/// Its form is a name, arguments in parentheses where the name takes some, and after `??` a JSON value that stands in
/// when a request lacks what is named.
struct PlaceholderParser {
    /// The names that a scenario declares and placeholders may use.
    struct Vocabulary {
        var kinds: [String] = []
        var counters: [String] = []
        var states: [String] = []
        /// The parameters of the route's path, where there is a route.
        var pathParameters: [String] = []
    }

    struct Problem: Error {
        var message: String
        var advice: String?
    }

    let vocabulary: Vocabulary

    func parse(_ text: String) throws(Problem) -> Placeholder {
        let (expression, fallbackText) = splitFallback(text)
        var fallback: JSONValue?
        if let fallbackText {
            fallback = try json(fallbackText, orBare: false)
        }
        return Placeholder(source: try source(expression), fallback: fallback, text: trimmed(text[...]))
    }

    private func splitFallback(_ text: String) -> (expression: String, fallback: String?) {
        let scalars = Array(text.unicodeScalars)
        var depth = 0
        for index in scalars.indices.dropLast() {
            if scalars[index] == "(" { depth += 1 }
            if scalars[index] == ")" { depth -= 1 }
            if depth == 0, scalars[index] == "?", scalars[index + 1] == "?" {
                return (trimmed(string(scalars[..<index])[...]), trimmed(string(scalars[(index + 2)...])[...]))
            }
        }
        return (trimmed(text[...]), nil)
    }

    private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private func source(_ expression: String) throws(Problem) -> Placeholder.Source {
        if expression.hasPrefix("\"") { return .constant(try json(expression, orBare: false)) }
        let (name, arguments) = try call(expression)
        switch name {
        case "clock": return try clock(arguments)
        case "random.integer": return .randomInteger(try range(arguments))
        case "random.hex": return .randomHex(try length(arguments))
        case "random.choice": return .randomChoice(try choices(arguments))
        default: break
        }
        guard arguments == nil else { throw Problem(message: "\"\(name)\" takes no arguments") }
        if let simple = Self.simple[name] { return simple }
        if name.hasPrefix("request.") { return try requestPart(name) }
        if let rest = name.dropping("token.") { return try token(rest) }
        if let rest = name.dropping("counter.") { return try counter(rest) }
        if let rest = name.dropping("state.") {
            return .state(try declared(rest, among: vocabulary.states, as: "state"))
        }
        if let pointer = name.dropping("account#"), let pointer = JSONPointer(pointer) { return .accountData(pointer) }
        if let rest = name.dropping("account.") { return .accountData(JSONPointer().appending(rest)) }
        throw unknown(name)
    }

    private static let simple: [String: Placeholder.Source] = [
        "uuid": .uuid, "device": .deviceName, "account": .accountName, "session": .sessionName,
        "exchange": .exchangeNumber, "request.method": .method, "request.target": .target, "request.path": .path,
        "request.body": .body(nil),
    ]

    private static let names = [
        "request.method", "request.target", "request.path", "request.path.NAME", "request.query.NAME",
        "request.header.NAME", "request.body", "request.body#/POINTER", "request.form.NAME", "request.part.NAME",
        "token.KIND", "clock", "counter.NAME", "random.integer(LOW, HIGH)", "random.hex(DIGITS)",
        "random.choice(A, B)", "uuid", "device", "account", "account.NAME", "state.NAME", "session", "exchange",
    ]

    private func unknown(_ name: String) -> Problem {
        let head = name.split(separator: ".").prefix(2).joined(separator: ".")
        let heads = Self.names.map { $0.split(whereSeparator: { "(#".contains($0) }).first.map(String.init) ?? $0 }
        let meant =
            Suggestion.nearest(to: name, among: heads)
            ?? Suggestion.nearest(to: head, among: heads.map { $0.replacingSuffix(".NAME", by: "") })
        return Problem(
            message: "unknown placeholder \"\(name)\"",
            advice: meant.map { "did you mean \"\($0)\"?" } ?? "there are \(Self.names.joined(separator: ", "))"
        )
    }

    private func requestPart(_ name: String) throws(Problem) -> Placeholder.Source {
        if let pointer = name.dropping("request.body#") {
            guard let pointer = JSONPointer(pointer) else {
                throw Problem(message: "\"\(pointer)\" is not a JSON Pointer", advice: "it starts with \"/\"")
            }
            return .body(pointer)
        }
        if let rest = name.dropping("request.path.") {
            return .pathParameter(try declared(rest, among: vocabulary.pathParameters, as: "path parameter"))
        }
        if let rest = name.dropping("request.query."), !rest.isEmpty { return .query(rest) }
        if let rest = name.dropping("request.header."), !rest.isEmpty { return .header(rest) }
        if let rest = name.dropping("request.form."), !rest.isEmpty { return .form(rest) }
        if let rest = name.dropping("request.part."), !rest.isEmpty {
            let (part, aspect) = rest.splitAtLastDot()
            if let aspect, let aspect = Placeholder.PartAspect(rawValue: aspect) { return .part(part, aspect) }
            return .part(rest, .text)
        }
        throw unknown(name)
    }

    private func token(_ rest: String) throws(Problem) -> Placeholder.Source {
        let (kind, aspect) = rest.splitAtLastDot()
        if let aspect, !vocabulary.kinds.contains(rest) {
            guard let aspect = Placeholder.TokenAspect(rawValue: aspect) else {
                let known = Placeholder.TokenAspect.allCases.map(\.rawValue)
                throw Problem(
                    message: "a token has no \"\(aspect)\"",
                    advice: "there are \(known.joined(separator: ", "))"
                )
            }
            return .token(kind: try declared(kind, among: vocabulary.kinds, as: "token kind"), aspect)
        }
        return .token(kind: try declared(rest, among: vocabulary.kinds, as: "token kind"), .value)
    }

    private func counter(_ rest: String) throws(Problem) -> Placeholder.Source {
        if let name = rest.droppingSuffix(".current") {
            return .currentCounter(try declared(name, among: vocabulary.counters, as: "counter"))
        }
        return .counter(try declared(rest, among: vocabulary.counters, as: "counter"))
    }

    private func declared(_ name: String, among known: [String], as noun: String) throws(Problem) -> String {
        guard !known.contains(name) else { return name }
        let meant = Suggestion.nearest(to: name, among: known)
        throw Problem(
            message: "there is no \(noun) \"\(name)\"",
            advice: meant.map { "did you mean \"\($0)\"?" }
                ?? (known.isEmpty ? nil : "there are \(known.joined(separator: ", "))")
        )
    }

    // MARK: Arguments

    /// Splits `name(a, key: b)` into the name and its arguments; `nil` arguments when there are no parentheses.
    private func call(_ expression: String) throws(Problem) -> (name: String, arguments: [String]?) {
        guard let open = expression.firstIndex(of: "(") else { return (expression, nil) }
        guard expression.hasSuffix(")") else {
            throw Problem(message: "the arguments of \"\(expression)\" are not closed", advice: "end them with \")\"")
        }
        let inner = expression[expression.index(after: open)...].dropLast()
        let arguments = inner.split(separator: ",").map { trimmed($0) }
        return (trimmed(expression[..<open]), arguments)
    }

    private func clock(_ arguments: [String]?) throws(Problem) -> Placeholder.Source {
        var format = Placeholder.ClockFormat.timestamp
        var pattern: DatePattern?
        var zone = 0
        var offset = Duration.zero
        for argument in arguments ?? [] {
            let colon = argument.firstIndex(of: ":") ?? argument.endIndex
            let key = trimmed(argument[..<colon])
            let value = colon == argument.endIndex ? "" : trimmed(argument[argument.index(after: colon)...])
            switch key {
            case "format":
                switch value {
                case "seconds": format = .seconds
                case "milliseconds": format = .milliseconds
                case "http": format = .http
                default:
                    guard let parsed = DatePattern(value) else {
                        throw Problem(
                            message: "\"\(value)\" is not a date format",
                            advice: "write a pattern such as yyyy-MM-dd HH:mm, or seconds, milliseconds, http"
                        )
                    }
                    pattern = parsed
                }
            case "zone":
                guard let seconds = Self.zone(value) else {
                    throw Problem(message: "\"\(value)\" is not a zone", advice: "write it as +09:00")
                }
                zone = seconds
            case "offset":
                guard let parsed = DurationText.parseSigned(value) else {
                    throw Problem(message: "\"\(value)\" is not a duration", advice: "write it as -1d or 30m")
                }
                offset = parsed
            default:
                throw Problem(message: "clock has no argument \"\(key)\"", advice: "there are format, zone, offset")
            }
        }
        if let pattern { format = .pattern(pattern, zone: zone) }
        return .clock(format, offset: offset)
    }

    /// Reads `+09:00` as seconds ahead of UTC.
    private static func zone(_ text: String) -> Int? {
        if text == "Z" || text == "UTC" { return 0 }
        let digits = Array(text.utf8)
        guard
            digits.count == 6, digits[3] == UInt8(ascii: ":"), digits[0] == 0x2B || digits[0] == 0x2D,
            [1, 2, 4, 5].allSatisfy({ digits[$0].isASCIIDigit })
        else { return nil }
        let hours = Int(digits[1] - 0x30) * 10 + Int(digits[2] - 0x30)
        let minutes = Int(digits[4] - 0x30) * 10 + Int(digits[5] - 0x30)
        guard hours <= 18, minutes < 60 else { return nil }
        return (hours * 3_600 + minutes * 60) * (digits[0] == 0x2D ? -1 : 1)
    }

    private func range(_ arguments: [String]?) throws(Problem) -> ClosedRange<Int> {
        guard
            let arguments, arguments.count == 2, let low = Int(arguments[0]), let high = Int(arguments[1]), low <= high
        else {
            throw Problem(message: "random.integer wants its bounds", advice: "write random.integer(1, 6)")
        }
        return low...high
    }

    private func length(_ arguments: [String]?) throws(Problem) -> Int {
        guard let arguments, arguments.count == 1, let digits = Int(arguments[0]), (1...1_024).contains(digits) else {
            throw Problem(message: "random.hex wants a number of digits up to 1024", advice: "write random.hex(16)")
        }
        return digits
    }

    private func choices(_ arguments: [String]?) throws(Problem) -> [JSONValue] {
        guard let arguments, !arguments.isEmpty else {
            throw Problem(message: "random.choice wants values", advice: "write random.choice(red, green, blue)")
        }
        var values: [JSONValue] = []
        for argument in arguments { values.append(try json(argument, orBare: true)) }
        return values
    }

    private func json(_ text: String, orBare: Bool) throws(Problem) -> JSONValue {
        do {
            return try JSONParser(duplicateNames: .refused).parse(Array(text.utf8)).root
        } catch {
            if orBare { return .string(text) }
            throw Problem(
                message: "\"\(text)\" after \"??\" is not JSON: \(error.sentence)",
                advice: "a text needs its quotes: ?? \"\(text)\""
            )
        }
    }

    private func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension String {
    fileprivate func dropping(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }

    fileprivate func droppingSuffix(_ suffix: String) -> String? {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
    }

    fileprivate func replacingSuffix(_ suffix: String, by replacement: String) -> String {
        droppingSuffix(suffix).map { $0 + replacement } ?? self
    }

    fileprivate func splitAtLastDot() -> (String, String?) {
        guard let dot = lastIndex(of: ".") else { return (self, nil) }
        return (String(self[..<dot]), String(self[index(after: dot)...]))
    }
}
