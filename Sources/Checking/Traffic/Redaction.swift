import Basics
import JSON
import Reports

/// Replaces what is personal or secret in captured content by placeholders, equal values by equal ones.
///
/// Tokens, cookies, passwords, email addresses and phone numbers are recognised everywhere: in any case,
/// percent-encoded, and in Base64. Names, addresses and dates of birth are recognised by the names of their members.
struct Redaction {
    /// Texts that are replaced everywhere.
    private var secrets = SecretIndex()
    /// Texts that are replaced where they are a whole value, because they may be ordinary words elsewhere.
    private var wholeSecrets: Set<String> = []
    /// Texts that are replaced in documents, where nothing tells a secret from other words.
    private(set) var words = SecretIndex()
    /// Words that look like tokens, and that documents may contain.
    var publicWords: Set<[UInt8]> = []
    private var mails: [String: String] = [:]
    private var placeholders: Set<String> = []
    private var phones: [String: String] = [:]
    /// The digits of the phone numbers.
    private var phoneDigits: Set<String> = []
    /// A Boolean value that indicates whether names, addresses and numbers of people stay, and only secrets are replaced.
    private let keepsPersonal: Bool

    /// A Boolean value that indicates whether stand-ins of tokens stay, of which equal ones are equal tokens.
    var keepsStandIns = false

    init(keepsPersonal: Bool = false) { self.keepsPersonal = keepsPersonal }

    /// The replacement of a secret.
    static let placeholder = "concealed"

    /// Adds a token, which no text may contain.
    mutating func addToken(_ value: String) {
        guard value != Self.placeholder else { return }
        wholeSecrets.insert(value)
        insert(value)
    }

    /// Adds a text that is replaced everywhere, also as pages, XML and JSON escape it.
    private mutating func insert(_ value: String) {
        let isWord = !Self.isUnmistakable(value)
        secrets.insert(value, isWord: isWord)
        guard value.utf8.contains(where: { "+/=&".utf8.contains($0) }) else { return }
        for escapes in Self.escapes {
            let written = escapes.reduce(value) { $0.replacing($1.key, with: $1.value) }
            if written != value { secrets.insert(written, isWord: isWord) }
        }
    }

    private static let escapes: [KeyValuePairs<String, String>] = [
        ["/": "\\/"], ["&": "&amp;"], ["+": "&#x2B;"], ["+": "&#43;"], ["+": "\\u002B"],
        ["+": "&#x2B;", "/": "&#x2F;", "=": "&#x3D;"], ["+": "&#43;", "/": "&#47;", "=": "&#61;"],
        ["+": "\\u002B", "/": "\\u002F", "=": "\\u003D"],
    ]

    /// Adds the value of a cookie, or one whose name says that it is a secret.
    ///
    /// It is replaced everywhere if it cannot be anything else, and if not, in documents: elsewhere, its name says what
    /// it is, and equal values at other places may be ordinary ones.
    mutating func addSecret(_ value: String, isPassword: Bool = false) {
        guard !Self.isUnmistakable(value) else { return addToken(value) }
        if isPassword || Self.isMixed(value), value != Self.placeholder { words.insert(value, isWord: true) }
    }

    private static func isUnmistakable(_ value: String) -> Bool {
        let bytes = value.utf8
        return bytes.count >= 16 && !bytes.contains(UInt8(ascii: " ")) || bytes.count >= 8 && isMixed(value)
    }

    private static func isMixed(_ value: String) -> Bool {
        value.utf8.contains(where: \.isDigit) && value.utf8.contains(where: \.isLetter)
            && !value.utf8.contains(UInt8(ascii: " "))
    }

    /// Returns whether the bytes of a file contain a secret that is replaced everywhere.
    func hasSecret(in bytes: [UInt8]) -> Bool { !secrets.ranges(in: bytes).isEmpty }

    /// Notes the addresses and numbers of a text, so that they are found in every other form as well.
    mutating func learn(_ text: String) {
        guard !keepsPersonal else { return }
        if text.utf8.contains(UInt8(ascii: "@")) || text.contains("%40") { _ = withoutMails(text) }
        if text.utf8.count(where: \.isDigit) >= 9 { _ = withoutPhones(text) }
    }

    private static let personal = [
        "email", "mail", "phone", "mobile", "telephone", "firstname", "lastname", "fullname", "familyname", "givenname",
        "nickname", "displayname", "username", "address", "street", "postcode", "zipcode", "birth", "iban", "ssn",
        "cardnumber", "latitude", "longitude",
    ]

    /// Returns whether the values of a name are replaced, because they are about a person.
    func isPersonal(_ name: String) -> Bool {
        guard !keepsPersonal else { return false }
        let plain = TokenNames.plain(name)
        return plain == "nick" || plain == "tel" || Self.personal.contains { plain.contains($0) }
    }

    // MARK: Values

    mutating func value(_ value: JSONValue, named name: String = "", siblings names: [String] = []) -> JSONValue {
        switch value.content {
        case .string(let text): return .string(self.text(text, named: name, siblings: names))
        case .number(let number):
            let isPhone = phoneDigits.contains(number.text.filter { $0 != "+" && $0 != "-" })
            let isSecret = TokenNames.saySecretNumber(name) || wholeSecrets.contains(number.text)
            return isPersonal(name) || isPhone || isSecret ? 0 : value
        case .array(let elements):
            var redacted: [JSONValue] = []
            for element in elements { redacted.append(self.value(element, named: name, siblings: names)) }
            return .array(redacted)
        case .object(let object):
            var redacted = JSONObject()
            let names = object.count <= 100 ? object.names : []
            for member in object.members {
                // An object by user names or addresses has its secrets in the names of its members.
                let name = CapturedPlace.name([name, member.name])
                redacted[plain(member.name)] = self.value(member.value, named: name, siblings: names)
            }
            return .object(redacted)
        default: return value
        }
    }

    mutating func text(_ text: String, named name: String, siblings names: [String] = []) -> String {
        guard !text.isEmpty, !keepsStandIns || !Self.isStandIn(text) else { return text }
        let plainName = TokenNames.plain(name)
        let isSecret = TokenNames.saySecret(name) && !plainName.contains("expire")
        if isSecret || wholeSecrets.contains(text) { return Self.placeholder }
        let found = plain(text)
        if found.exact != text.exact { return found }
        if isPersonal(name) { return "Placeholder" }
        if plainName == "name", names.contains(where: { $0 != name && isPersonal($0) }) { return "Placeholder" }
        return text
    }

    private static func isStandIn(_ text: String) -> Bool {
        text.hasPrefix("recorded.") && text.utf8.split(separator: UInt8(ascii: ".")).last?.count == 16
    }

    /// Returns whether a text may be shown as it is.
    mutating func isPlain(_ text: String) -> Bool {
        !wholeSecrets.contains(text) && plain(text).exact == text.exact
    }

    /// A text without the addresses, numbers and tokens in it.
    mutating func plain(_ text: String) -> String { plain(text, isEncoded: false) }

    private mutating func plain(_ text: String, isEncoded: Bool) -> String {
        guard text.utf8.count >= 5 else { return text }
        var text = Self.withoutTokens(text)
        if !keepsPersonal {
            if text.utf8.contains(UInt8(ascii: "@")) || text.contains("%40") { text = withoutMails(text) }
            if text.utf8.count(where: \.isDigit) >= 9 { text = withoutPhones(text) }
        }
        text = withoutSecrets(text)
        guard !isEncoded else { return text }
        if text.utf8.contains(UInt8(ascii: "%")) { text = withoutPercentEncoded(text) }
        return text.utf8.count >= 12 ? withoutBase64(text) : text
    }

    // MARK: Recognising

    private func withoutSecrets(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let ranges = secrets.ranges(in: bytes)
        guard !ranges.isEmpty else { return text }
        var result: [UInt8] = []
        var copied = 0
        for range in ranges {
            result += bytes[copied..<range.lowerBound]
            result += Self.placeholder.utf8
            copied = range.upperBound
        }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    /// Replaces what looks like a JSON Web Token, in any case: `eyJ` with a dot further on.
    static func withoutTokens(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var (copied, offset) = (0, 0)
        while offset + 10 < bytes.count {
            guard bytes[offset] | 0x20 == UInt8(ascii: "e"), bytes[offset + 1] | 0x20 == UInt8(ascii: "y"),
                bytes[offset + 2] | 0x20 == UInt8(ascii: "j"), offset == 0 || !isTokenByte(bytes[offset - 1])
            else {
                offset += 1
                continue
            }
            let end = bytes[offset...].firstIndex { !isTokenByte($0) } ?? bytes.count
            let dot = bytes[offset..<end].firstIndex(of: UInt8(ascii: "."))
            if let dot, dot - offset >= 10, end - dot >= 4 {
                result += bytes[copied..<offset]
                result += placeholder.utf8
                copied = end
            }
            offset = end
        }
        return copied == 0 ? text : String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-_.".utf8.contains(byte)
    }

    /// Looks at the decoded form of percent-encoded words.
    private mutating func withoutPercentEncoded(_ text: String) -> String {
        let runs = Self.runs(of: Array(text.utf8)) { $0 > 0x20 && !"\"<>&=?,;".utf8.contains($0) }
        return replacing(runs, in: text) { redaction, word in
            guard word.contains(UInt8(ascii: "%")) else { return nil }
            let written = String(decoding: word, as: UTF8.self)
            guard let decoded = PercentEncoding.decode(written), decoded != written else { return nil }
            let plain = redaction.plain(decoded, isEncoded: true)
            if redaction.wholeSecrets.contains(decoded) { return Self.placeholder }
            return plain.exact == decoded.exact ? nil : PercentEncoding.encode(plain, allowing: "@/:+")
        }
    }

    /// Looks at the decoded form of words in Base64.
    private mutating func withoutBase64(_ text: String) -> String {
        let runs = Self.runs(of: Array(text.utf8)) { $0.isLetter || $0.isDigit || "+/-_".utf8.contains($0) }
        return replacing(runs.filter { $0.count >= 12 }, in: text) { redaction, word in
            if redaction.isPrivate(base64: word) { return Self.placeholder }
            // A slash may as well be that of a path.
            let parts = word.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            guard parts.count > 1 else { return nil }
            var isChanged = false
            let shown = parts.map { part -> String in
                guard part.count >= 12, redaction.isPrivate(base64: part) else {
                    return String(decoding: part, as: UTF8.self)
                }
                isChanged = true
                return Self.placeholder
            }
            return isChanged ? shown.joined(separator: "/") : nil
        }
    }

    private mutating func isPrivate(base64 word: ArraySlice<UInt8>) -> Bool {
        let plain = word.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        guard let decoded = Base64.decodeURL(plain), decoded.count >= SecretIndex.shortest else { return false }
        guard secrets.ranges(in: decoded).isEmpty else { return true }
        guard decoded.allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }),
            let text = String(validUTF8: decoded)
        else { return false }
        return wholeSecrets.contains(text) || self.plain(text, isEncoded: true).exact != text.exact
    }

    private static func runs(of bytes: [UInt8], where isPart: (UInt8) -> Bool) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for (index, byte) in bytes.enumerated() {
            if isPart(byte) {
                if start == nil { start = index }
            } else if let begin = start {
                runs.append(begin..<index)
                start = nil
            }
        }
        if let start { runs.append(start..<bytes.count) }
        return runs
    }

    private mutating func replacing(
        _ runs: [Range<Int>],
        in text: String,
        _ replacement: (inout Redaction, ArraySlice<UInt8>) -> String?
    ) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var copied = 0
        for run in runs {
            guard let new = replacement(&self, bytes[run]) else { continue }
            result += bytes[copied..<run.lowerBound]
            result += new.utf8
            copied = run.upperBound
        }
        return copied == 0 ? text : String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    private mutating func withoutMails(_ text: String) -> String {
        var result: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        func isLocal(_ byte: UInt8) -> Bool {
            byte.isLetter || byte.isDigit || "._%+-'".utf8.contains(byte) || byte >= 0x80
        }
        func isHost(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || ".-".utf8.contains(byte) || byte >= 0x80 }
        while index < bytes.count {
            let isSign = bytes[index] == UInt8(ascii: "@")
            // %40 is the sign in a form or a target.
            let isEncoded = bytes[index] == UInt8(ascii: "%") && bytes[index...].starts(with: "%40".utf8)
            guard isSign || isEncoded, let last = result.last, isLocal(last) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let begin = index + (isSign ? 1 : 3)
            var end = begin
            while end < bytes.count, isHost(bytes[end]) { end += 1 }
            guard bytes[begin..<end].contains(UInt8(ascii: ".")) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            var start = result.count
            while start > 0, isLocal(result[start - 1]) { start -= 1 }
            let local = String(decoding: result[start...], as: UTF8.self)
            let host = String(decoding: bytes[begin..<end], as: UTF8.self)
            result.removeSubrange(start...)
            result += mail("\(PercentEncoding.decode(local) ?? local)@\(host)", isEncoded: isEncoded).utf8
            index = end
        }
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func mail(_ address: String, isEncoded: Bool) -> String {
        let key = address.lowercased()
        // A placeholder stays itself where it is met again.
        if placeholders.contains(key) {
            return isEncoded ? key.replacing("@", with: "%40") : key
        }
        let placeholder = mails[key] ?? "user\(mails.count + 1)@example.com"
        if mails[key] == nil {
            mails[key] = placeholder
            placeholders.insert(placeholder)
            secrets.insert(address)
        }
        return isEncoded ? placeholder.replacing("@", with: "%40") : placeholder
    }

    /// Digits as people group them: a plus sign or a zero first, 9 to 15 of them, and no date, id or number of a plan.
    private mutating func withoutPhones(_ text: String) -> String {
        var result: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let isPlus = bytes[index] == UInt8(ascii: "+")
            // %2B is the plus sign in a form or a target.
            let isEncoded = bytes[index] == UInt8(ascii: "%") && bytes[index...].starts(with: "%2B".utf8)
            let isStart =
                (isPlus || isEncoded || bytes[index] == UInt8(ascii: "0"))
                && (result.last.map { byte in
                    !byte.isDigit && !byte.isLetter && (isPlus || isEncoded || !"-.:_/".utf8.contains(byte))
                } ?? true)
            var end = index + (isEncoded ? 3 : 0)
            let begin = end
            var digits = 0
            if isStart {
                while end < bytes.count, bytes[end].isDigit || "+-() .".utf8.contains(bytes[end]) || isSpace(bytes, end)
                {
                    if bytes[end].isDigit { digits += 1 }
                    end += isSpace(bytes, end) ? 3 : 1
                }
                while end > begin, !bytes[end - 1].isDigit || isSpace(bytes, end - 3) {
                    end -= isSpace(bytes, end - 3) ? 3 : 1
                }
                digits = self.digits(bytes[begin..<end]).count
            }
            guard isStart, 9...15 ~= digits, end == bytes.count || !bytes[end].isLetter else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result +=
                phone(self.digits(bytes[begin..<end]), as: String(decoding: bytes[index..<end], as: UTF8.self)).utf8
            index = end
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns whether %20 is at a place.
    private func isSpace(_ bytes: [UInt8], _ index: Int) -> Bool {
        index >= 0 && index + 2 < bytes.count && bytes[index] == UInt8(ascii: "%")
            && bytes[index...].starts(with: "%20".utf8)
    }

    private func digits(_ bytes: ArraySlice<UInt8>) -> String {
        var digits: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%") {
                index += 3
                continue
            }
            if bytes[index].isDigit { digits.append(bytes[index]) }
            index += 1
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private mutating func phone(_ digits: String, as written: String) -> String {
        if written.hasPrefix("+1 555 01") { return written }
        let placeholder = phones[digits] ?? "+1 555 01\(phones.count < 90 ? 10 + phones.count : 99)"
        if phones[digits] == nil {
            phones[digits] = placeholder
            phoneDigits.insert(digits)
            secrets.insert(written)
            secrets.insert(digits, isWord: true)
        }
        return placeholder
    }
}
