import Basics
import HTTPCodec
import JSON

/// Reads the expression between `{{` and `}}`.
///
/// Its form is a name, arguments in parentheses where the name takes some, and after `??` other names and a JSON value
/// that are used when a request lacks what is named before them.
struct PlaceholderParser {
    struct Problem: Error {
        var message: String
        var advice: String?
    }

    let vocabulary: Vocabulary
    /// The number of computations that the expression is in.
    var depth = 0

    func parse(_ text: String) throws(Problem) -> Placeholder {
        let parts = PlaceholderText.split(text[...], at: "??").map(PlaceholderText.trimmed)
        let (expression, conversion) = try converted(parts[0])
        let source = try source(expression)
        var alternatives: [(source: Placeholder.Source, conversion: Placeholder.Conversion?)] = []
        var fallback: JSONValue?
        for (number, part) in parts.enumerated().dropFirst() {
            let last = alternatives.last ?? (source, conversion)
            if last.source.isAlwaysThere, last.conversion == nil {
                throw Problem(
                    message: "\"\(parts[number - 1])\" always has a value, so \"??\" has no effect",
                    advice: "remove \"??\" and the default"
                )
            }
            if let alternative = try alternative(part, isLast: number == parts.count - 1) {
                alternatives.append(alternative)
            } else {
                fallback = try self.fallback(part)
            }
        }
        return Placeholder(
            source: source,
            alternatives: alternatives,
            fallback: fallback,
            mayBeOmitted: parts.count > 1 && parts.last == Self.omission,
            conversion: conversion,
            text: PlaceholderText.trimmed(text[...])
        )
    }

    /// Another source after `??`; nil for a default, which comes last.
    private func alternative(
        _ text: String,
        isLast: Bool
    ) throws(Problem) -> (source: Placeholder.Source, conversion: Placeholder.Conversion?)? {
        let name = text.prefix { !"(#. ".contains($0) }
        let sources = Self.stems.compactMap(\.first) + ["found", "issued", "item", "each", "part"]
        if !sources.contains(String(name)) {
            guard !isLast else { return nil }
            if text == Self.omission || (try? json(text)) != nil {
                throw Problem(
                    message: "\"\(text)\" is a default, but another value follows",
                    advice: "write the default last"
                )
            }
        }
        let (expression, conversion) = try converted(text)
        return (try source(expression), conversion)
    }

    /// The default that leaves out the member or element.
    private static let omission = "omit"

    /// The default of a placeholder; `nil` if it leaves out its member or element.
    private func fallback(_ text: String) throws(Problem) -> JSONValue? {
        guard text == Self.omission else { return try json(text) }
        guard vocabulary.mayOmit else {
            throw Problem(
                message: "\"omit\" has no effect here, because nothing can be omitted",
                advice: "\"omit\" omits a whole member or element of an item or a JSON body"
            )
        }
        return nil
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
        case ("encoded", nil): return .encoded
        case ("s256", nil): return .s256
        case ("words", nil): return .spacedWords
        case ("decoded", nil): return .decoded
        case ("prefix", nil): return .prefix
        case ("loopback", nil): return .loopback
        case ("alphanumeric", nil): return .alphanumeric
        case ("pair", let arguments?):
            let name = PlaceholderText.trimmed(arguments)
            guard !name.isEmpty else { throw Problem(message: "\"pair\" requires a name: pair(state)") }
            return .pair(name: name)
        case ("words", let arguments?):
            let prefix = PlaceholderText.trimmed(arguments)
            guard !prefix.isEmpty else {
                throw Problem(message: "\"words\" requires the prefix of the words, such as words(#)")
            }
            return .words(prefix: prefix)
        default:
            throw Problem(
                message: "a value cannot be converted to \"\(text)\"",
                advice: Suggestion.advice(
                    for: name,
                    among: [
                        "number", "text", "boolean", "encoded", "decoded", "s256", "words", "words(#)", "prefix",
                        "pair(state)", "loopback", "alphanumeric",
                    ]
                )
            )
        }
    }

    private func json(_ text: String) throws(Problem) -> JSONValue {
        do {
            return try JSONParser(duplicateNames: .refused).parse(text).root
        } catch {
            guard !text.isEmpty else { throw Problem(message: "found nothing after \"??\"") }
            throw Problem(
                message: "\"\(text)\" after \"??\" is not JSON: \(error.sentence)",
                advice: "put a string in quotes: ?? \(JSONValue.string(text))"
            )
        }
    }

    // MARK: Sources

    private func source(_ expression: String) throws(Problem) -> Placeholder.Source {
        if let computed = try arithmetic(expression) { return .arithmetic(computed) }
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
            throw Problem(message: "\"\(name)\" requires a request, but no request is available here")
        }
        var source = simple(name)
        if source == nil { source = try stored(name) }
        if source == nil { source = try request(name) }
        if source == nil { source = try declared(name) }
        guard let source else { throw Self.unknown(name) }
        guard arguments == nil else { throw Problem(message: "\"\(name)\" does not accept arguments") }
        return source
    }

    private func constant(_ expression: String) throws(Problem) -> JSONValue {
        do {
            return try JSONParser().parse(expression).root
        } catch {
            throw Problem(message: "\(expression) is not text:\(error.sentence)")
        }
    }

    private func simple(_ name: String) -> Placeholder.Source? {
        switch name {
        case "uuid": .uuid
        case "device": .request(.device)
        case "account": .request(.account)
        case "session": .sessionName
        case "exchange": .exchangeNumber
        case "jwks": .keySet
        case "request.method": .request(.method)
        case "request.base": .base
        case "request.target": .target
        case "request.path": .path
        case "request.body": .wholeBody
        default: nil
        }
    }

    private func request(_ name: String) throws(Problem) -> Placeholder.Source? {
        if let text = name.dropping("request.body#", orNothing: true) { return .request(.body(try pointer(text))) }
        if let rest = name.dropping("request.path.") {
            let name = try known(rest, among: vocabulary.pathParameters, as: "path parameter")
            return .request(.pathParameter(name))
        }
        if let rest = name.dropping("request.header.") {
            guard HTTPFields.isName(rest) else {
                throw Problem(message: "\"\(rest)\" is not a header field name")
            }
            return .request(.header(rest))
        }
        if let rest = name.dropping("request.query.") { return .request(.query(rest)) }
        if let rest = name.dropping("request.form.") { return .request(.form(rest)) }
        if let rest = name.dropping("request.parameter.") { return .request(.parameter(rest)) }
        if let rest = name.dropping("request.cookie.") {
            guard HTTPFields.isName(rest) else { throw Problem(message: "\"\(rest)\" is not a cookie name") }
            return .request(.cookie(rest))
        }
        if let rest = name.dropping("request.basic.") {
            return .request(.basic(try aspect(rest, orElse: "Basic credentials have")))
        }
        if let rest = name.dropping("request.part.") {
            let (part, aspect) = rest.splitAtLastDot()
            if let aspect, !part.isEmpty, let aspect = RequestPart.PartAspect(rawValue: aspect) {
                return .request(.part(part, aspect))
            }
            return .request(.part(rest, .text))
        }
        return nil
    }

    private func declared(_ name: String) throws(Problem) -> Placeholder.Source? {
        if let rest = name.dropping("token.") { return try token(rest) }
        if let text = name.dropping("issued#") {
            guard vocabulary.hasIssued else {
                throw Problem(
                    message: "no token is being issued here",
                    advice: "use \"issued\" in \"claims\"; a granted token is available as \"token.KIND\""
                )
            }
            return .issued(try pointer(text))
        }
        if let rest = name.dropping("dpop.") {
            guard vocabulary.hasRequest else {
                throw Problem(message: "a proof requires a request, but no request is available here")
            }
            return .proof(try aspect(rest, orElse: "a proof has"))
        }
        if let rest = name.dropping("presented.") {
            guard vocabulary.hasRequest else {
                throw Problem(message: "a presented token requires a request, but no request is available here")
            }
            let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
            let kind = try known(String(rest[..<mark]), among: vocabulary.kinds, as: "token kind")
            return .presented(kind: kind, try pointer(String(rest[mark...].dropFirst())))
        }
        if let rest = name.dropping("counter.") {
            if let name = rest.droppingSuffix(".current") {
                return .currentCounter(try known(name, among: vocabulary.counters, as: "counter"))
            }
            return .counter(try known(rest, among: vocabulary.counters, as: "counter"))
        }
        if let rest = name.dropping("state.") { return .state(try known(rest, among: vocabulary.states, as: "state")) }
        if let rest = name.dropping("rate.") {
            guard vocabulary.hasRate else {
                throw Problem(message: "the route has no \"rate\"", advice: "add \"rate\" to the route")
            }
            return .rate(try aspect(rest, orElse: "a rate has"))
        }
        if let rest = name.dropping("origin.") {
            return .originURL(try known(rest, among: vocabulary.origins, as: "origin"))
        }
        if let rest = name.dropping("account.") { return .accountData(try accountData(JSONPointer(tokens: [rest]))) }
        if let text = name.dropping("account#", orNothing: true) { return .accountData(try accountData(pointer(text))) }
        return nil
    }

    private func token(_ rest: String) throws(Problem) -> Placeholder.Source {
        let (kind, name) = rest.splitAtLastDot()
        guard let name else {
            return .token(kind: try known(rest, among: vocabulary.kinds, as: "token kind"), .value)
        }
        let aspect: Placeholder.TokenAspect = try self.aspect(name, orElse: "a token has")
        return .token(kind: try known(kind, among: vocabulary.kinds, as: "token kind"), aspect)
    }

    private func accountData(_ pointer: JSONPointer) throws(Problem) -> JSONPointer {
        guard let first = pointer.tokens.first, !vocabulary.accountData.contains(first.exact) else { return pointer }
        throw Problem(
            message: "no account contains \"\(first)\"",
            advice: Suggestion.advice(for: first, among: vocabulary.accountData)
                ?? "only the members of \"accounts\" can be used"
        )
    }

    /// An aspect in an expression, of a fixed set.
    ///
    /// - Parameter having: how the sentence begins that it has no such thing.
    private func aspect<Aspect: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        orElse having: String
    ) throws(Problem) -> Aspect {
        if let aspect = Aspect(rawValue: name) { return aspect }
        let names = Aspect.allCases.map(\.rawValue)
        throw Problem(message: "\(having) no \"\(name)\"", advice: Suggestion.advice(for: name, among: names))
    }

    func pointer(_ text: String) throws(Problem) -> JSONPointer {
        guard let pointer = JSONPointer(text) else {
            throw Problem(message: "\"\(text)\" is not a JSON Pointer", advice: "write a pointer such as #/data/id")
        }
        return pointer
    }

    private func known(_ name: String, among known: [String], as noun: String) throws(Problem) -> String {
        guard !known.contains(name.exact) else { return name }
        throw Problem(message: "unknown \(noun) \"\(name)\"", advice: Suggestion.advice(for: name, among: known))
    }
}

extension Placeholder.Source {
    /// A Boolean value that indicates whether every request and every session has it; a request that is refused before
    /// it is counted has no rate.
    fileprivate var isAlwaysThere: Bool {
        switch self {
        case .request(let part): part.isAlwaysThere
        case .wholeBody, .token, .accountData, .found, .foundAccountName, .item, .element, .uploadedPart, .presented,
            .issued, .proof, .rate, .arithmetic:
            false
        default: true
        }
    }
}

extension PlaceholderParser {
    private static let names = [
        "request.method", "request.base", "request.target", "request.path", "request.path.NAME", "request.query.NAME",
        "request.header.NAME", "request.body", "request.body#/POINTER", "request.form.NAME", "request.parameter.NAME",
        "request.part.NAME",
        "request.cookie.NAME", "request.basic.user", "presented.KIND#/POINTER", "token.KIND", "clock", "counter.NAME",
        "random.integer(LOW, HIGH)", "random.hex(DIGITS)",
        "random.choice(A, B)", "jwks", "dpop.jkt", "uuid", "device", "account", "account.NAME", "state.NAME", "session",
        "exchange",
        "origin.NAME", "rate.remaining",
    ]

    /// The words that names begin with, without what the author puts in.
    private static let stems = names.map { name in
        String(name.prefix { !"(#".contains($0) }).components.filter { $0 != $0.uppercased() }
    }

    static func unknown(_ name: String) -> Problem {
        Problem(
            message: "unknown placeholder \"\(name)\"",
            advice: meant(by: name).map { "did you mean \"\($0)\"?" } ?? "use \(names.joined(lastBy: "or"))"
        )
    }

    private static func meant(by name: String) -> String? {
        let written = String(name.prefix { !"(#".contains($0) }).components
        // With a dot where a pointer begins: "request.body.id".
        for name in names where name.hasSuffix("#/POINTER") {
            let owner = String(name.prefix { $0 != "#" }).components
            guard written.count > owner.count,
                zip(owner, written).allSatisfy({ $0 == $1 || $0 == $0.uppercased() })
            else { continue }
            let pointer = written.dropFirst(owner.count).joined(separator: "/")
            return "\(written.prefix(owner.count).joined(separator: "."))#/\(pointer)"
        }
        // Without its first word: "path.id".
        if let stem = stems.first(where: { $0.count > 1 && written.starts(with: $0.dropFirst()) }) {
            return "\(stem[0]).\(name)"
        }
        for length in [written.count, 2, 1] where length > 0 && length <= written.count {
            let head = written.prefix(length).joined(separator: ".")
            let candidates = stems.filter { $0.count >= length }.map { $0.prefix(length).joined(separator: ".") }
            let meant = completion(of: head, among: candidates) ?? Suggestion.nearest(to: head, among: candidates)
            if let meant, meant != head { return meant + name.dropFirst(head.count) }
        }
        return nil
    }

    /// The one name that begins with what was written.
    private static func completion(of head: String, among candidates: [String]) -> String? {
        let longer = Set(candidates.filter { $0.hasPrefix(head) && head.utf8.count > 2 })
        return longer.count == 1 ? longer.first : nil
    }
}

extension String {
    fileprivate var components: [String] {
        split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}

extension PlaceholderParser {
    /// Items that are found, created or stored in collections.
    func stored(_ name: String) throws(Problem) -> Placeholder.Source? {
        if name == "item" || name.utf8.starts(with: "item#".utf8) {
            guard vocabulary.hasItem else {
                throw Problem(
                    message: "no item is available here",
                    advice: "use \"item\" in \"embed\" or in a selection's \"when\""
                )
            }
            return .item(try pointer(name.dropping("item#", orNothing: true) ?? ""))
        }
        if name == "each" || name.utf8.starts(with: "each#".utf8) {
            guard vocabulary.hasElement else {
                throw Problem(
                    message: "no element is available here",
                    advice: "use \"each\" in an event that sets \"each\""
                )
            }
            return .element(try pointer(name.dropping("each#", orNothing: true) ?? ""))
        }
        if let aspect = name.dropping("part.") { return .uploadedPart(try uploadAspect(aspect)) }
        guard let rest = name.dropping("found.") else { return nil }
        let parts = PlaceholderText.split(rest[...], at: "#", limit: 2).map(String.init)
        if parts.count == 2 {
            let (found, pointer) = (try found(parts[0]), try pointer(parts[1]))
            if let problem = found.problem(with: pointer) { throw problem }
            return .found(found.name, pointer)
        }
        if let account = rest.droppingSuffix(".name") {
            guard try found(account).isAccount else {
                throw Problem(message: "only an account has a name", advice: "write {{found.\(account)#/name}}")
            }
            return .foundAccountName(account)
        }
        return .found(try found(rest).name, JSONPointer())
    }

    private func found(_ name: String) throws(Problem) -> FoundName {
        guard let found = vocabulary.found.first(where: { $0.name.exact == name.exact }) else {
            let known = vocabulary.found.map(\.name)
            throw Problem(
                message: "no selection here is named \"\(name)\"",
                advice: Suggestion.advice(for: name, among: known) ?? "add the selection to the route's \"find\""
            )
        }
        return found
    }

    private func uploadAspect(_ name: String) throws(Problem) -> Placeholder.UploadAspect {
        guard vocabulary.hasUpload else {
            throw Problem(
                message: "no uploaded part is available here",
                advice:
                    "use \"part.\(name)\" in the \"path\" of an upload;"
                    + " a request part is available as \"request.part.NAME\""
            )
        }
        return try aspect(name, orElse: "an uploaded part has")
    }
}

extension PlaceholderParser {
    /// The names that a scenario declares, and what else placeholders may speak of where they stand.
    struct Vocabulary {
        var kinds: [String] = []
        var counters: [String] = []
        var states: [String] = []
        /// The story's other servers.
        var origins: [String] = []
        /// The parameters of the route's path, where there is a route.
        var pathParameters: [String] = []
        /// The known members of accounts.
        var accountData: [String] = []
        /// The items that the route found and the response creates, by name.
        var found: [FoundName] = []
        /// A Boolean value that indicates whether there is an item that the value is about.
        var hasItem = false
        /// A Boolean value that indicates whether there is an element for which a change is made.
        var hasElement = false
        /// A Boolean value that indicates whether there is an uploaded part that the value is about.
        var hasUpload = false
        /// A Boolean value that indicates whether the route limits its requests.
        var hasRate = false
        /// A Boolean value that indicates whether it is a claim of a token.
        var hasIssued = false
        /// A Boolean value that indicates whether a request causes it.
        var hasRequest = true
        /// A Boolean value that indicates whether a value may be left out where it stands.
        var mayOmit = false
        /// A Boolean value that indicates whether the operands of matchers may hold placeholders: while a request is
        /// answered, and not afterwards.
        var makesOperands = true
    }

    /// Something that a response may speak of by its name.
    struct FoundName {
        var name: String
        var collection = ""
        /// A Boolean value that indicates whether it is one account, which has a name.
        var isAccount = false
        /// The members of a list.
        var listMembers: [String]?

        /// Returns the reason why nothing can be in a place of it; `nil` where something may.
        func problem(with pointer: JSONPointer) -> Problem? {
            guard let listMembers, let first = pointer.tokens.first, !listMembers.contains(first.exact) else {
                return nil
            }
            return Problem(
                message: "\"\(name)\" is a list, which has no \"\(first)\"",
                advice: first == "sum"
                    ? "add \"sum\" to the selection" : Suggestion.advice(for: first, among: listMembers)
            )
        }
    }
}
