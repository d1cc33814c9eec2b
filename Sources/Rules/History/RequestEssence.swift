import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// The parts of a request that do not differ when the client sends it again.
///
/// Tokens are left out wherever they travel, and so are the order of names in JSON, of items in a query, and the
/// boundary between the parts of a form.
struct RequestEssence: Hashable {
    private enum Body: Hashable {
        case json(JSONValue)
        case form([QueryItems.Item])
        case parts(MultipartForm)
        case bytes([UInt8])

        func hash(into hasher: inout Hasher) {
            switch self {
            case .json(let value): hasher.combine(value)
            case .form(let items): hasher.combine(items)
            case .parts(let form): hasher.combine(form)
            case .bytes(let bytes): bytes.hashBytes(into: &hasher)
            }
        }
    }

    private var origin: String?
    private var method: HTTPMethod
    private var path: ExactText
    /// The operation, where every request has the same path.
    private var operation: RequestOperation?
    private var query: [QueryItems.Item]
    /// The part of a file that is sent.
    private var range: String?
    private var body: Body

    init(_ exchange: Exchange, _ operation: RequestOperation?, _ ledger: TokenLedger) {
        let request = exchange.request
        origin = exchange.origin
        method = request.method
        path = request.path.exact
        self.operation = operation
        query = request.query.map { Self.items(of: QueryItems(parsing: $0), ledger) } ?? []
        range = request.fields["Content-Range"] ?? request.fields["Upload-Offset"]
        body = Self.body(of: request, ledger)
    }

    /// A Boolean value that indicates whether it asks for something and changes nothing (RFC 9110, section 9.2.1).
    var isRead: Bool { method == .get || method == .head || operation?.isQuery ?? false }

    /// Returns whether another request has the same method and is about the same thing, regardless of its query and body.
    private func isAbout(sameAs other: RequestEssence) -> Bool {
        method == other.method && path == other.path && origin == other.origin && operation == other.operation
    }

    /// Returns whether it is another request without its query.
    func hasLostQuery(of other: RequestEssence) -> Bool {
        query.isEmpty && !other.query.isEmpty && isAbout(sameAs: other)
    }

    private static func items(of query: QueryItems, _ ledger: TokenLedger) -> [QueryItems.Item] {
        query.items
            .filter { ledger.token(value: $0.value) == nil }
            .sorted { left, right in
                let (one, other) = (left.name.utf8, right.name.utf8)
                if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
                return left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
            }
    }

    private static func body(of request: HTTPRequest, _ ledger: TokenLedger) -> Body {
        guard !request.body.isEmpty, let text = request.fields["Content-Type"], let type = MediaType(parsing: text)
        else {
            return .bytes(request.body)
        }
        if type.isJSON, let root = (try? JSONParser().parse(request.body))?.root {
            guard let object = root.object else { return .json(root) }
            let members = object.members.filter { $0.value.string.flatMap { ledger.token(value: $0) } == nil }
            return .json(.object(JSONObject(members)))
        }
        if type.isForm {
            return .form(items(of: QueryItems(parsingForm: request.body), ledger))
        }
        if type.type == "multipart", let form = try? MultipartForm(parsing: request.body, contentType: text) {
            return .parts(form)
        }
        return .bytes(request.body)
    }
}

// MARK: What differs each time

extension RequestEssence {
    /// Returns whether another request is the same but for what differs between any two requests of its route.
    ///
    /// That is a moment, a random text, a number that counts on in the query, or a value with digits that was never the
    /// same twice; one of letters alone is a name.
    ///
    /// - Parameter others: requests of the same route, these two among them.
    func isSame(as other: RequestEssence, among others: [RequestEssence]) -> Bool {
        if self == other { return true }
        guard isAbout(sameAs: other), range == other.range, let mine = parts,
            let theirs = other.parts, mine.map(\.name) == theirs.map(\.name)
        else { return false }
        return zip(mine, theirs).allSatisfy { mine, theirs in
            mine.value.exact == theirs.value.exact || Self.isMoment(mine.value) && Self.isMoment(theirs.value)
                || Self.isRandom(mine.value) && Self.isRandom(theirs.value)
                || mine.isInQuery && Self.countsOn(mine.value, theirs.value)
                || Self.isNeverTheSame(mine.name, among: others)
        }
    }

    private struct Part {
        var name: String
        var value: String
        var isInQuery = false
    }

    /// Every value of the query and of the body, by name and in order; `nil` where the body does not have such values.
    private var parts: [Part]? {
        var parts = query.map { Part(name: "?\($0.name)", value: $0.value, isInQuery: true) }
        func collect(_ value: JSONValue, _ name: String) {
            if let object = value.object {
                for member in object.members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                    collect(member.value, "\(name)/\(member.name)")
                }
            } else if let array = value.array {
                for (index, element) in array.enumerated() { collect(element, "\(name)/\(index)") }
            } else {
                parts.append(Part(name: name, value: value.string ?? value.text(.compact)))
            }
        }
        switch body {
        case .json(let value): collect(value, "")
        case .form(let items): parts += items.map { Part(name: $0.name, value: $0.value) }
        case .bytes(let bytes): if !bytes.isEmpty { return nil }
        case .parts: return nil
        }
        return parts
    }

    /// Returns whether a text is a date, or seconds or milliseconds since 1970.
    private static func isMoment(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let areDigits = bytes.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
        if areDigits { return bytes.count >= 10 && bytes.first != 0x30 }
        return bytes.count >= 19 && bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-")
            && bytes[..<4].allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// Returns whether a text looks like a UUID, a hash or a nonce: long, without spaces, digits among letters.
    private static func isRandom(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let digits = bytes.count { 0x30...0x39 ~= $0 }
        return bytes.count >= 16 && digits >= 3 && digits < bytes.count && !bytes.contains(0x20)
    }

    private static func countsOn(_ one: String, _ other: String) -> Bool {
        guard let one = Int(one), let other = Int(other) else { return false }
        return one < other
    }

    /// Returns whether a value was another one in each of at least three requests.
    private static func isNeverTheSame(_ name: String, among others: [RequestEssence]) -> Bool {
        let values = others.compactMap { $0.parts?.first { $0.name == name }?.value }
        return values.count >= 3 && Set(values.map(\.exact)).count == values.count
            && values.allSatisfy { $0.utf8.contains { 0x30...0x39 ~= $0 } }
    }
}
