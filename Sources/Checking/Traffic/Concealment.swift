import Basics
package import HTTPCodec
import JSON
import Reports
package import ScenarioFormat
package import Simulation

/// Replaces what would let a reader of a capture in, so that equal values stay equal.
///
/// A token becomes a stand-in that is equal for equal tokens. That of a JWT keeps `iat` and `exp`, and numbers its user:
/// a reader can tell how long it lived, and two users apart. A password has no stand-in that could not be
/// guessed, so all of them become `concealed`.
package struct Concealment: Sendable {
    private let ledger: TokenLedger?
    private let carriers: [TokenCarrier]
    /// The numbers of the users that tokens name, in the order in which they are met.
    private var users: [String: Int] = [:]

    /// - Parameters:
    ///   - ledger: the tokens that are known, which are replaced everywhere.
    ///   - carriers: the places where tokens travel, regardless of their names.
    package init(ledger: TokenLedger? = nil, carriers: [TokenCarrier] = []) {
        self.ledger = ledger
        self.carriers = carriers
    }

    // MARK: Values

    /// The stand-in for a value; `nil` where it may stay.
    ///
    /// - Parameter isCredential: whether its place says that it is a token or another secret.
    private mutating func substitute(_ value: String, named name: String, isCredential: Bool) -> String? {
        guard !value.isEmpty, !value.hasPrefix("recorded.") else { return nil }
        if Secrets.isPassword(name) { return "concealed" }
        if isCredential || ledger?.token(value: value) != nil { return standIn(for: value) }
        let shown = Secrets.text(value)
        guard shown.exact != value.exact else { return nil }
        // A text that is a JSON Web Token and nothing else stays one that can be compared.
        return TokenClaims(value) != nil ? standIn(for: value) : shown
    }

    private mutating func standIn(for value: String) -> String {
        guard let claims = TokenClaims(value) else { return Token.standIn(for: value) }
        var kept = JSONObject()
        if let begin = claims.begin { kept["iat"] = .number(JSONNumber(begin)) }
        if let end = claims.end { kept["exp"] = .number(JSONNumber(end)) }
        if let owner = claims.owner {
            let number = users[owner] ?? users.count + 1
            users[owner] = number
            kept["sub"] = .string("user-\(number)")
        }
        let fingerprint = Token.standIn(for: value).split(separator: ".").last ?? ""
        return "recorded.\(Base64.encodeURL(JSONValue.object(kept).utf8(.compact))).\(fingerprint)"
    }

    private func isCarried(_ isPlace: (RequestPart) -> Bool) -> Bool { carriers.contains { isPlace($0.part) } }

    // MARK: Messages

    /// Header fields in their order.
    package mutating func fields(_ fields: HTTPFields) -> HTTPFields {
        var concealed = HTTPFields()
        for (name, value) in fields { concealed.append(name, field(name, value)) }
        return concealed
    }

    private mutating func field(_ name: String, _ value: String) -> String {
        let lowercased = name.lowercased()
        switch lowercased {
        case "cookie": return pairs(value[...], between: ";") { _ in true }
        case "referer", "location", "content-location": return target(value)
        case "set-cookie":
            let end = value.utf8.firstIndex(of: UInt8(ascii: ";")) ?? value.endIndex
            return pairs(value[..<end], between: ";") { _ in true } + value[end...]
        default: break
        }
        let isCredential =
            lowercased == "authorization" || lowercased == "proxy-authorization" || TokenNames.saySecret(name)
            || isCarried { if case .header(let field) = $0 { field.lowercased() == lowercased } else { false } }
        if let space = value.utf8.lastIndex(of: UInt8(ascii: " ")), isCredential {
            let word = String(value[value.utf8.index(after: space)...])
            return value[...space] + (substitute(word, named: name, isCredential: true) ?? word)
        }
        return substitute(value, named: name, isCredential: isCredential) ?? value
    }

    /// A request's target or another URL, of which the path stays as it is, except for known tokens.
    package mutating func target(_ target: String) -> String {
        let parts = Secrets.parts(ofTarget: target)
        let carried = carriers.compactMap { if case .query(let name) = $0.part { name } else { nil } }
        var text = path(parts.path)
        for part in parts.others {
            text += part.prefix(1)
            text += pairs(part.dropFirst(), between: "&") { name in
                TokenNames.saySecret(name) || carried.contains(name.exact)
            }
        }
        return text
    }

    private func path(_ path: Substring) -> String {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { part in
            let part = String(Substring(part))
            let plain = PercentEncoding.decode(part) ?? part
            return ledger?.token(value: plain) == nil ? Secrets.text(part) : Token.standIn(for: plain)
        }
        .joined(separator: "/")
    }

    /// A body as it may be shown: JSON and forms with stand-ins, other text without what looks like a token.
    package mutating func body(_ bytes: [UInt8], type: String?) -> [UInt8] {
        guard !Self.isMedia(type) else { return bytes }
        if let first = bytes.first(where: { !" \t\r\n".utf8.contains($0) }), "[{\"".utf8.contains(first),
            let root = (try? JSONParser(duplicateNames: .lastWins).parse(bytes))?.root
        {
            var hasChanged = false
            let concealed = value(root, named: "", at: JSONPointer(), &hasChanged)
            return hasChanged ? concealed.utf8(.compact) : bytes
        }
        guard let text = String(validUTF8: bytes) else { return bytes }
        if CapturedStrings.isForm(type: type) {
            let carried = carriers.compactMap { if case .form(let name) = $0.part { name } else { nil } }
            let concealed = pairs(text[...], between: "&") { TokenNames.saySecret($0) || carried.contains($0.exact) }
            return Array(concealed.utf8)
        }
        return Array(Secrets.text(text).utf8)
    }

    /// Returns whether a body is a picture or a similar file, in which no secret is written.
    static func isBinary(_ body: [UInt8], type: String?) -> Bool {
        isType(type, oneOf: files) && String(validUTF8: body) == nil
    }

    /// Returns whether a media type says that a body is not text, such as an upload, a picture or an archive.
    static func isMedia(_ type: String?) -> Bool {
        isType(type, oneOf: files + ["multipart/", "application/octet-stream"]) && !isType(type, oneOf: ["image/svg"])
    }

    private static let files = ["image/", "audio/", "video/", "font/", "application/zip", "application/pdf"]

    private static func isType(_ type: String?, oneOf beginnings: [String]) -> Bool {
        type.map { type in beginnings.contains(where: type.lowercased().hasPrefix) } ?? false
    }

    private mutating func value(
        _ value: JSONValue,
        named name: String,
        at pointer: JSONPointer,
        _ hasChanged: inout Bool
    ) -> JSONValue {
        switch value.content {
        case .string(let text):
            let isCredential =
                TokenNames.saySecret(name)
                || isCarried { if case .body(let place) = $0 { place == pointer } else { false } }
            guard let substitute = substitute(text, named: name, isCredential: isCredential) else { return value }
            hasChanged = true
            return .string(substitute)
        case .number where TokenNames.saySecretNumber(name):
            hasChanged = true
            return 0
        case .array(let elements):
            var concealed: [JSONValue] = []
            concealed.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                concealed.append(self.value(element, named: name, at: pointer.appending(index), &hasChanged))
            }
            return .array(concealed)
        case .object(let object):
            var concealed = JSONObject()
            for member in object.members {
                concealed[member.name] = self.value(
                    member.value,
                    named: CapturedPlace.name([name, member.name]),
                    at: pointer.appending(member.name),
                    &hasChanged
                )
            }
            return .object(concealed)
        default: return value
        }
    }

    private mutating func pairs(
        _ text: Substring,
        between separator: Unicode.Scalar,
        _ isCredential: (String) -> Bool
    ) -> String {
        var parts: [String] = []
        for pair in text.utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false) {
            let pair = Substring(pair)
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                parts.append(String(pair))
                continue
            }
            let name = String(pair[..<equals].drop { $0 == " " })
            let written = String(pair[pair.utf8.index(after: equals)...])
            let value = PercentEncoding.decode(written, plusIsSpace: separator == "&") ?? written
            let shown = substitute(value, named: name, isCredential: isCredential(name)) ?? written
            parts.append(pair[...equals] + shown)
        }
        return parts.joined(separator: String(separator))
    }
}

/// The claims of a JWT that say when it ends and whose it is (RFC 7519, section 4.1).
struct TokenClaims {
    var begin: Int?
    var end: Int?
    /// A fingerprint of its user.
    var owner: String?

    init?(_ value: String) {
        let parts = value.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, value.utf8.count <= 16_384, let payload = Base64.decodeURL(parts[1]),
            let claims = (try? JSONParser(duplicateNames: .lastWins).parse(payload))?.root, claims.object != nil
        else { return nil }
        (begin, end) = (claims["iat"]?.int, claims["exp"]?.int)
        for name in ["sub", "user_id", "userId", "uid", "memberId", "member_id", "accountId", "id"] {
            guard let claim = claims[name], !claim.isNull else { continue }
            owner = String(Token.standIn(for: claim.text()).suffix(8))
            break
        }
    }
}
