import JSON

/// Reads a query by the grammar of RFC 9535, appendix A.
struct JSONPathParser {
    private let scalars: [Unicode.Scalar]
    private var next = 0
    private var depth = 0

    /// The limit of filters and parentheses in one another.
    private static let deepest = 64
    /// The largest integer that every JSON reader has exactly (RFC 7493, section 2.2).
    private static let largestInteger = 9_007_199_254_740_991

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func parse() throws(JSONPathError) -> JSONPath.Query {
        guard take("$") else { throw problem("a path must begin with $") }
        let segments = try segments()
        guard next == scalars.count else {
            throw problem("found \(shown), but expected a dot, a bracket or the end of the path")
        }
        return JSONPath.Query(isAbsolute: true, segments: segments)
    }

    // MARK: Characters

    private var peek: Unicode.Scalar? { next < scalars.count ? scalars[next] : nil }

    private var shown: String { peek.map { "\"\($0)\"" } ?? "the end of the path" }

    private func problem(_ message: String, at offset: Int? = nil) -> JSONPathError {
        JSONPathError(message, at: offset ?? next)
    }

    private mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars[next...].starts(with: wanted) else { return false }
        next += wanted.count
        return true
    }

    private mutating func skipBlanks() {
        while let scalar = peek, [0x20, 0x09, 0x0A, 0x0D].contains(scalar.value) { next += 1 }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { 0x30...0x39 ~= scalar.value }

    private static func startsName(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.value | 0x20) &- 0x61 < 26 || scalar == "_" || scalar.value >= 0x80
    }

    private mutating func name() -> String? {
        guard let first = peek, Self.startsName(first) else { return nil }
        var name = ""
        while let scalar = peek, Self.startsName(scalar) || Self.isDigit(scalar) {
            name.unicodeScalars.append(scalar)
            next += 1
        }
        return name
    }

    // MARK: Segments

    private mutating func segments() throws(JSONPathError) -> [JSONPath.Segment] {
        var segments: [JSONPath.Segment] = []
        while true {
            let start = next
            skipBlanks()
            if take("..") {
                let found = try take("[") ? selectors() : [shorthand()]
                segments.append(JSONPath.Segment(isDescendant: true, selectors: found))
            } else if take(".") {
                segments.append(JSONPath.Segment(isDescendant: false, selectors: [try shorthand()]))
            } else if take("[") {
                segments.append(JSONPath.Segment(isDescendant: false, selectors: try selectors()))
            } else {
                next = start
                return segments
            }
        }
    }

    private mutating func shorthand() throws(JSONPathError) -> JSONPath.Selector {
        if take("*") { return .wildcard }
        guard let name = name() else {
            throw problem(
                "found \(shown), but expected a name or *; write other names in brackets and quotes, such as ['a-b']"
            )
        }
        return .name(name)
    }

    /// The contents of brackets, the first of which has been read.
    private mutating func selectors() throws(JSONPathError) -> [JSONPath.Selector] {
        var selectors: [JSONPath.Selector] = []
        repeat {
            skipBlanks()
            selectors.append(try selector())
            skipBlanks()
        } while take(",")
        guard take("]") else { throw problem("found \(shown), but expected a comma or ]") }
        return selectors
    }

    private mutating func selector() throws(JSONPathError) -> JSONPath.Selector {
        switch peek {
        case "'", "\"": return .name(try string())
        case "*":
            next += 1
            return .wildcard
        case "?":
            next += 1
            skipBlanks()
            return .filter(try condition())
        default: break
        }
        let start = try integer()
        let end = next
        skipBlanks()
        guard take(":") else {
            next = end
            guard let start else {
                throw problem("found \(shown), but expected a name in quotes, a number, a slice, * or ?")
            }
            return .index(start)
        }
        skipBlanks()
        let last = try integer()
        skipBlanks()
        guard take(":") else { return .slice(start: start, end: last, step: 1) }
        skipBlanks()
        return .slice(start: start, end: last, step: try integer() ?? 1)
    }

    private mutating func integer() throws(JSONPathError) -> Int? {
        let start = next
        let isNegative = take("-")
        var digits = ""
        while let scalar = peek, Self.isDigit(scalar) {
            digits.unicodeScalars.append(scalar)
            next += 1
        }
        guard !digits.isEmpty else {
            if isNegative { throw problem("found \(shown), but expected a digit") }
            return nil
        }
        let hasLeadingZero = digits.utf8.count > 1 && digits.utf8.first == UInt8(ascii: "0")
        guard !hasLeadingZero, !(isNegative && digits == "0") else {
            throw problem("a number must not have a leading zero and must not be -0", at: start)
        }
        guard let number = Int(digits), number <= Self.largestInteger else {
            throw problem("the number is too large", at: start)
        }
        return isNegative ? -number : number
    }

    // MARK: Strings

    private mutating func string() throws(JSONPathError) -> String {
        let start = next
        let quote = scalars[next]
        next += 1
        var text = String.UnicodeScalarView()
        while let scalar = peek {
            next += 1
            switch scalar {
            case quote: return String(text)
            case "\\": text.append(try escaped(in: quote))
            case _ where scalar.value < 0x20:
                throw problem("write a control character in a string as an escape, such as \\n", at: next - 1)
            default: text.append(scalar)
            }
        }
        throw problem("the string that begins here has no closing quote", at: start)
    }

    private mutating func escaped(in quote: Unicode.Scalar) throws(JSONPathError) -> Unicode.Scalar {
        let start = next - 1
        guard let scalar = peek else { throw problem("the escape is incomplete", at: start) }
        next += 1
        switch scalar {
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "/", "\\", quote: return scalar
        case "u": return try codePoint(from: start)
        default: throw problem("\\\(scalar) is not a JSONPath escape", at: start)
        }
    }

    private mutating func codePoint(from start: Int) throws(JSONPathError) -> Unicode.Scalar {
        let first = try hexadecimal(from: start)
        var value = first
        if 0xD800...0xDBFF ~= first {
            guard take("\\u") else { throw problem("a high surrogate must be followed by a low surrogate", at: start) }
            let second = try hexadecimal(from: start)
            guard 0xDC00...0xDFFF ~= second else {
                throw problem("a high surrogate must be followed by a low surrogate", at: start)
            }
            value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw problem("a surrogate lacks its counterpart", at: start)
        }
        return scalar
    }

    private mutating func hexadecimal(from start: Int) throws(JSONPathError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = peek, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw problem("\\u requires four hexadecimal digits", at: start)
            }
            value = value << 4 | UInt32(digit)
            next += 1
        }
        return value
    }
}

// MARK: Filters

extension JSONPathParser {
    /// An operand of a comparison, or a test: which one, shows what follows.
    private enum Term {
        case operand(JSONPath.Operand)
        case query(JSONPath.Query)
        case test(JSONPath.Condition)
    }

    private mutating func condition() throws(JSONPathError) -> JSONPath.Condition {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw problem("filters and parentheses are nested too deeply") }
        var parts = [try conjunction()]
        while takeOperator("||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws(JSONPathError) -> JSONPath.Condition {
        var parts = [try basic()]
        while takeOperator("&&") { parts.append(try basic()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func takeOperator(_ text: String) -> Bool {
        let start = next
        skipBlanks()
        guard take(text) else {
            next = start
            return false
        }
        skipBlanks()
        return true
    }

    private mutating func basic() throws(JSONPathError) -> JSONPath.Condition {
        let isNegated = take("!")
        if isNegated { skipBlanks() }
        if take("(") {
            skipBlanks()
            let inner = try condition()
            skipBlanks()
            guard take(")") else { throw problem("found \(shown), but expected a closing parenthesis") }
            return isNegated ? .not(inner) : inner
        }
        let start = next
        let term = try term()
        let end = next
        skipBlanks()
        if let comparison = JSONPath.Comparison.allCases.first(where: { take($0.rawValue) }) {
            guard !isNegated else {
                throw problem("! can negate a test or an expression in parentheses, but not a comparison", at: start)
            }
            let left = try operand(term, from: start)
            skipBlanks()
            let place = next
            return .compare(left, comparison, try operand(try self.term(), from: place))
        }
        next = end
        let test: JSONPath.Condition
        switch term {
        case .test(let condition): test = condition
        case .query(let query): test = .exists(query)
        case .operand: throw problem("a value alone is not a condition; compare the value, such as with ==", at: start)
        }
        return isNegated ? .not(test) : test
    }

    private func operand(_ term: Term, from start: Int) throws(JSONPathError) -> JSONPath.Operand {
        switch term {
        case .operand(let operand): return operand
        case .query(let query):
            guard query.isSingular else {
                throw problem("only a query of names and numbers, with at most one result, can be compared", at: start)
            }
            return .single(query)
        case .test: throw problem("match and search are conditions and cannot be compared", at: start)
        }
    }

    private mutating func term() throws(JSONPathError) -> Term {
        if take("@") { return .query(JSONPath.Query(isAbsolute: false, segments: try deeperSegments())) }
        if take("$") { return .query(JSONPath.Query(isAbsolute: true, segments: try deeperSegments())) }
        guard let first = peek else { throw problem("the filter ends here; expected a condition") }
        if first == "'" || first == "\"" { return .operand(.literal(.string(try string()))) }
        if first == "-" || Self.isDigit(first) { return .operand(.literal(.number(try number()))) }
        let start = next
        guard let word = name() else { throw problem("found \(shown), but expected @, $, a value or a function") }
        if peek == "(" {
            next += 1
            return try function(word, from: start)
        }
        switch word {
        case "true": return .operand(.literal(true))
        case "false": return .operand(.literal(false))
        case "null": return .operand(.literal(.null))
        default:
            throw problem("\"\(word)\" is not a value; write a member as @.\(word), and text in quotes", at: start)
        }
    }

    private mutating func deeperSegments() throws(JSONPathError) -> [JSONPath.Segment] {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw problem("filters and parentheses are nested too deeply") }
        return try segments()
    }

    private mutating func number() throws(JSONPathError) -> JSONNumber {
        let start = next
        while let scalar = peek, Self.isDigit(scalar) || "+-.eE".unicodeScalars.contains(scalar) { next += 1 }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars[start..<next])
        guard let number = JSONNumber(text) else { throw problem("\(text) is not a JSON number", at: start) }
        return number
    }

    /// The standard functions (section 2.4); the opening parenthesis has been read.
    private mutating func function(_ name: String, from start: Int) throws(JSONPathError) -> Term {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw problem("functions are nested too deeply") }
        let known = ["length": 1, "count": 1, "value": 1, "match": 2, "search": 2]
        guard let wanted = known[name] else {
            throw problem(
                "the function \"\(name)\" does not exist; the functions are length, count, value, match and search",
                at: start
            )
        }
        var arguments: [(term: Term, start: Int)] = []
        skipBlanks()
        while peek != ")" {
            if !arguments.isEmpty {
                guard take(",") else { throw problem("found \(shown), but expected a comma or a closing parenthesis") }
                skipBlanks()
            }
            let place = next
            arguments.append((try term(), place))
            skipBlanks()
        }
        next += 1
        guard arguments.count == wanted else {
            throw problem("\(name) takes \(wanted == 1 ? "one argument" : "two arguments")", at: start)
        }
        switch name {
        case "count", "value":
            guard case .query(let query) = arguments[0].term else {
                throw problem("\(name) requires a query, such as @.*", at: arguments[0].start)
            }
            return .operand(name == "count" ? .count(query) : .value(query))
        case "length": return .operand(.length(try operand(arguments[0].term, from: arguments[0].start)))
        default:
            let text = try operand(arguments[0].term, from: arguments[0].start)
            let pattern = try operand(arguments[1].term, from: arguments[1].start)
            return .test(.matches(text, pattern, isWhole: name == "match"))
        }
    }
}
