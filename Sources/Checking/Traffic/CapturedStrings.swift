import Basics
package import HTTPCodec
import JSON
package import ScenarioFormat

/// A place in a message where a token may travel.
package enum CapturedPlace: Sendable, Hashable {
    /// The name is in lower case; the scheme as it was written.
    case header(String, scheme: String?)
    case cookie(String)
    case query(String)
    case form(String)
    case body(String)

    package var isCookie: Bool { if case .cookie = self { true } else { false } }

    package var isInHead: Bool {
        switch self {
        case .header, .cookie: true
        case .query, .form, .body: false
        }
    }

    /// The name by which people know the value.
    package var name: String {
        switch self {
        case .header(let name, _), .cookie(let name), .query(let name), .form(let name): name
        case .body(let pointer): Self.name(JSONPointer(pointer)?.tokens ?? [])
        }
    }

    /// The name of a value in a document: elements of arrays, and texts such as the value of a token, have the name of the
    /// whole.
    package static func name(_ tokens: [String]) -> String {
        let outer = tokens.dropLast()
        if tokens.last == "id", let name = outer.last, TokenNames.plain(name) == "session" { return name }
        if tokens.last == "token", let name = outer.last, ["access", "refresh"].contains(TokenNames.kind(of: name)) {
            return name
        }
        let isPart = { (name: String) in ["value", "raw", "new", "old", "current", "jwt"].contains(name.lowercased()) }
        return tokens.last { Int($0) == nil && !isPart($0) } ?? tokens.last ?? ""
    }

    /// The place in the words of a scenario file; `nil` for a text that is not a JSON Pointer.
    package var carrier: TokenCarrier? {
        switch self {
        case .header(let name, let scheme): TokenCarrier(.header(name.capitalizedField), scheme: scheme)
        case .query(let name): TokenCarrier(.query(name))
        case .body(let pointer): JSONPointer(pointer).map { TokenCarrier(.body($0)) }
        case .cookie(let name): TokenCarrier(.cookie(name))
        case .form(let name): TokenCarrier(.form(name))
        }
    }
}

/// The texts of a message at the places where tokens travel.
package enum CapturedStrings {
    package struct Item: Sendable {
        package var place: CapturedPlace
        package var value: String

        package init(place: CapturedPlace, value: String) {
            (self.place, self.value) = (place, value)
        }

        /// Returns whether the value may be a token: not a word or a number, and neither a URL nor a date.
        ///
        /// Fields and cookies are there for tokens of any form.
        var mayBeToken: Bool {
            if place.isInHead { return true }
            let bytes = value.utf8
            if bytes.count < 16, bytes.allSatisfy(\.isLetter) || bytes.allSatisfy(\.isDigit) { return false }
            return !value.contains("://") && RFC3339.parse(value) == nil
        }
    }

    private static let deepest = 8
    private static let most = 4_000
    private static let longestBody = 4 << 20

    /// Fields that say nothing of who is asking.
    private static let ordinary: Set<String> = [
        "host", "user-agent", "accept", "accept-encoding", "accept-language", "accept-charset", "content-type",
        "content-length", "content-encoding", "connection", "date", "origin", "referer", "cache-control", "pragma",
        "if-none-match", "if-modified-since", "te", "upgrade", "upgrade-insecure-requests", "dnt", "range", "expect",
        "transfer-encoding", "traceparent", "tracestate", "priority", "keep-alive", "via", "forwarded", "etag", "vary",
        "server", "last-modified", "expires", "age", "location", "allow", "accept-ranges", "www-authenticate",
    ]

    package static func request(_ request: HTTPRequest) -> [Item] {
        var items = fields(request.fields)
        for field in request.fields.values(of: "Cookie") {
            for (name, value) in pairs(field, between: ";") { items.append(Item(place: .cookie(name), value: value)) }
        }
        for item in request.query.map({ QueryItems(parsing: $0).items }) ?? [] {
            items.append(Item(place: .query(item.name), value: item.value))
        }
        guard !request.body.isEmpty, request.body.count <= longestBody else { return items }
        if isForm(request.body, type: request.fields["Content-Type"]) {
            for item in QueryItems(parsingForm: request.body).items {
                items.append(Item(place: .form(item.name), value: item.value))
            }
        } else {
            items += json(request.body)
        }
        return items
    }

    /// The texts, numbers and booleans of a request's body, which is JSON or a form.
    static func scalars(of request: HTTPRequest) -> [(place: CapturedPlace, value: JSONValue)] {
        guard !request.body.isEmpty, request.body.count <= longestBody else { return [] }
        guard !isForm(request.body, type: request.fields["Content-Type"]) else {
            return QueryItems(parsingForm: request.body).items.map { (.form($0.name), .string($0.value)) }
        }
        var scalars: [(CapturedPlace, JSONValue)] = []
        walk(request.body) { pointer, value in
            switch value.content {
            case .string, .number, .bool: scalars.append((.body(pointer.description), value))
            case .null, .array, .object: break
            }
        }
        return scalars
    }

    package static func response(_ response: HTTPResponse) -> [Item] {
        var items = fields(response.fields)
        for field in response.fields.values(of: "Set-Cookie") {
            if let (name, value) = pairs(field, between: ";").first {
                items.append(Item(place: .cookie(name), value: value))
            }
        }
        items += ["Location", "Content-Location"].flatMap(response.fields.values).flatMap(Self.items(ofURL:))
        guard response.body.count <= longestBody else { return items }
        // The token endpoints of some servers respond with a form.
        guard isForm(response.body, type: response.fields["Content-Type"]) else { return items + json(response.body) }
        return items
            + QueryItems(parsingForm: response.body).items.map { item in
                Item(place: .body(JSONPointer(tokens: [item.name]).description), value: item.value)
            }
    }

    /// The items in the query and the fragment of a URL, where authorization servers put tokens (RFC 6749, section 4.2.2).
    package static func items(ofURL url: String) -> [Item] {
        Secrets.parts(ofTarget: url).others.flatMap { QueryItems(parsing: String($0.dropFirst())).items }
            .map { Item(place: .query($0.name), value: $0.value) }
    }

    /// Returns whether a request, or the page that has sent it, names the beginning of a URL as the client's own, such as
    /// a `redirect_uri` (RFC 6749, section 4.1.2; RFC 8252, section 7.3).
    package static func names(_ url: String, in request: HTTPRequest) -> Bool {
        let items = Self.request(request) + items(ofURL: request.fields["Referer"] ?? "")
        return items.contains { item in
            switch item.place {
            case .query, .form: break
            case .header, .cookie, .body: return false
            }
            guard item.value.contains("://"), url.hasPrefix(item.value) else { return false }
            return url.dropFirst(item.value.count).first.map("/?#".contains) ?? true
        }
    }

    /// Returns whether a body is a form; many clients and servers give this type to JSON, too.
    package static func isForm(_ body: [UInt8], type: String?) -> Bool {
        isForm(type: type) && !(body.first.map("[{".utf8.contains) ?? false)
    }

    /// Returns whether a media type is that of an encoded form.
    package static func isForm(type: String?) -> Bool {
        type?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
    }

    /// Returns whether a body is text without places for its values, unlike JSON and forms.
    static func isDocument(_ body: [UInt8], type: String?) -> Bool {
        guard !Concealment.isMedia(type), !isForm(type: type), String(validUTF8: body) != nil else { return false }
        return json(in: body) == nil
    }

    /// The object or the array in a body; the last of several members with one name counts.
    static func json(in body: [UInt8]) -> JSONValue? {
        guard let first = body.first(where: { !" \t\r\n".utf8.contains($0) }), "[{".utf8.contains(first) else {
            return nil
        }
        return (try? JSONParser(duplicateNames: .lastWins).parse(body))?.root
    }

    private static func fields(_ fields: HTTPFields) -> [Item] {
        fields.compactMap { name, value in
            let name = name.lowercased()
            guard !ordinary.contains(name), name != "cookie", name != "set-cookie", !name.hasPrefix("sec-"),
                !name.hasPrefix("access-control-")
            else { return nil }
            let parts = value.split(separator: " ")
            if parts.count == 2, parts[0].utf8.allSatisfy({ $0.isLetter }) {
                return Item(place: .header(name, scheme: String(parts[0])), value: String(parts[1]))
            }
            return parts.count == 1 ? Item(place: .header(name, scheme: nil), value: String(parts[0])) : nil
        }
    }

    private static func json(_ body: [UInt8]) -> [Item] {
        var items: [Item] = []
        walk(body) { pointer, value in
            if let text = value.string { items.append(Item(place: .body(pointer.description), value: text)) }
        }
        return items
    }

    /// Visits the values of a body that is JSON, up to ``most`` of them and ``deepest`` deep.
    private static func walk(_ body: [UInt8], _ visit: (JSONPointer, JSONValue) -> Void) {
        guard let root = json(in: body) else { return }
        var count = 0
        func collect(_ value: JSONValue, _ pointer: JSONPointer) {
            guard count < most, pointer.tokens.count < deepest else { return }
            count += 1
            visit(pointer, value)
            for (index, element) in (value.array ?? []).enumerated() {
                guard count < most else { return }
                collect(element, pointer.appending(index))
            }
            for member in value.object?.members ?? [] {
                guard count < most else { return }
                collect(member.value, pointer.appending(member.name))
            }
        }
        collect(root, JSONPointer())
    }

    /// A name with the value behind its equals sign; an attribute without one has an empty value.
    static func pair(_ text: some StringProtocol) -> (name: String, value: String) {
        let parts = text.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
    }

    static func pairs(_ text: String, between separator: Character) -> [(String, String)] {
        text.split(separator: separator).compactMap { pair in
            let pair = pair.drop { $0 == " " }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }
}

/// The meaning of names for their values.
package enum TokenNames {
    /// Names of values that are secret and no token of a session.
    private static let others = [
        "push", "fcm", "apns", "device", "apikey", "password", "passwd", "secret", "csrf", "xsrf", "nextpage", "page",
        "continuation", "sync", "cancel", "idempotency", "credential", "captcha",
    ]
    /// Ends of names of what is known about a token or a session, such as `token_endpoint`.
    private static let things = [
        "type", "typehint", "count", "endpoint", "url", "uri", "issuer", "supported", "start", "end", "date", "title",
        "name", "state", "status", "duration", "price", "address", "at", "izer", "kind", "format", "ttl", "limit",
        "symbol", "balance", "length", "lifetime", "standard", "supply", "amount",
    ]
    private static let words = ["token", "jwt", "authorization", "sessionid", "session", "accesskey"]

    package static func plain(_ name: String) -> String {
        String(
            decoding: name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") },
            as: UTF8.self
        )
    }

    /// Returns whether a name says that its value is a token of a session.
    package static func sayToken(_ name: String) -> Bool { tokenNames.answer(for: name, isToken) }

    private static func isToken(_ name: String) -> Bool {
        let name = plain(name)
        guard !things.contains(where: name.hasSuffix), !name.contains("expire") else { return false }
        guard !others.contains(where: { name.contains($0) }) else { return false }
        return words.contains { name.contains($0) } || name == "refresh" || name == "access" || name == "sid"
            || name == "auth" || name == "bearer"
    }

    /// Parts of names of other secrets: the credentials of grants (RFC 7521, RFC 7636, RFC 8628), of forms and of URLs.
    private static let secretWords = [
        "assertion", "verifier", "privatekey", "signingkey", "devicecode", "authcode", "recoverycode", "csrf", "xsrf",
        "nonce", "saml", "signature", "connectionstring",
    ]

    /// Returns whether a name says that its value is a secret: a token, a password or a credential of another kind.
    package static func saySecret(_ name: String) -> Bool {
        secretNames.answer(for: name) { name in
            Secrets.isSecret(name) || sayToken(name) || secretWords.contains(where: plain(name).contains)
        }
    }

    private static let tokenNames = NameAnswers()
    private static let secretNames = NameAnswers()

    /// Returns whether a name says that a number is a secret; numbers at tokens are counts, lengths and lifetimes.
    static func saySecretNumber(_ name: String) -> Bool {
        Secrets.isPassword(name) && !["expire", "length"].contains(where: plain(name).contains)
    }

    package static func sayCookieToken(_ name: String) -> Bool {
        let name = plain(name)
        return sayToken(name)
            || ["sess", "sid", "auth", "remember", "refresh", "access"].contains { name.contains($0) }
                && !others.contains(where: { name.contains($0) })
    }

    /// The kind of token that a name tells: `refresh`, `access`, or the name itself.
    package static func kind(of name: String) -> String {
        let plain = plain(name)
        if plain.contains("refresh") { return "refresh" }
        if plain.contains("access") { return "access" }
        if ["token", "authtoken", "jwt", "bearer", "authorization", "xauthtoken", "auth", "usertoken"].contains(plain) {
            return "access"
        }
        if plain.hasPrefix("session") || plain == "sid" || plain.hasSuffix("sessionid") { return "session" }
        let letters = name.utf8.map { $0.isLetter || $0.isDigit ? $0 : UInt8(ascii: "-") }
        let kind = String(decoding: letters, as: UTF8.self)
        return letters.first.map { $0.isLetter } ?? false ? kind : "token"
    }
}

/// Answers to a question about names: messages repeat their names, and the words of texts are looked up as well.
///
/// A class, because all who ask share what was answered.
private final class NameAnswers: Sendable {
    private let known = Lock<[String: Bool]>([:])

    func answer(for name: String, _ decide: (String) -> Bool) -> Bool {
        if let known = known.withLock({ $0[name] }) { return known }
        let answer = decide(name)
        known.withLock { known in
            if known.count >= 4_096 { known = [:] }
            known[name] = answer
        }
        return answer
    }
}

extension UInt8 {
    var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

extension String {
    /// `authorization` as it is usually written: `Authorization`.
    var capitalizedField: String {
        split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined(separator: "-")
    }
}
