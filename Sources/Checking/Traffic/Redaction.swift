import Basics
import JSON
import Reports

/// Replaces what is personal or secret in captured content by placeholders, equal values by equal ones.
///
/// E-mail addresses and phone numbers are recognised wherever they stand; names, addresses and dates of birth by the
/// names of their members.
struct Redaction {
    /// Every value that must not be written anywhere.
    private(set) var secrets: Set<String> = []
    private var mails: [String: String] = [:]
    private var phones: [String: String] = [:]
    /// A Boolean value that indicates whether something was like a placeholder of the scenario format, and was taken
    /// apart.
    private(set) var hasBraces = false

    init(secrets: Set<String>) {
        self.secrets = secrets.filter { $0.utf8.count >= 4 }
    }

    /// What stands for a secret.
    static let placeholder = "concealed"

    private static let personal = [
        "email", "mail", "phone", "mobile", "telephone", "firstname", "lastname", "fullname", "familyname", "givenname",
        "nickname", "displayname", "username", "address", "street", "postcode", "zipcode", "birth", "iban", "ssn",
        "cardnumber", "latitude", "longitude",
    ]

    static func isPersonal(_ name: String) -> Bool {
        let plain = TokenNames.plain(name)
        return plain == "nick" || plain == "tel" || personal.contains { plain.contains($0) }
    }

    // MARK: Values

    mutating func value(_ value: JSONValue, named name: String = "", beside names: [String] = []) -> JSONValue {
        switch value.content {
        case .string(let text): return .string(self.text(text, named: name, beside: names))
        case .number: return Self.isPersonal(name) ? 0 : value
        case .array(let elements):
            var redacted: [JSONValue] = []
            for element in elements { redacted.append(self.value(element, named: name, beside: names)) }
            return .array(redacted)
        case .object(let object):
            var redacted = JSONObject()
            for member in object.members {
                // An object by user names or addresses has its secrets in the names of its members.
                let key = plain(member.name)
                redacted[key] = self.value(member.value, named: member.name, beside: object.names)
            }
            return .object(redacted)
        default: return value
        }
    }

    mutating func text(_ text: String, named name: String, beside names: [String] = []) -> String {
        guard !text.isEmpty else { return text }
        let plainName = TokenNames.plain(name)
        let isSecret = Secrets.isSecret(name) && !plainName.contains("expire")
        if isSecret || secrets.contains(text) { return Self.placeholder }
        let found = plain(text)
        if !found.utf8.elementsEqual(text.utf8) { return found }
        if Self.isPersonal(name) { return "Placeholder" }
        if plainName == "name", names.contains(where: { $0 != name && Self.isPersonal($0) }) { return "Placeholder" }
        return text
    }

    /// A text without the addresses, numbers and tokens in it.
    mutating func plain(_ text: String) -> String {
        var text = text
        for secret in secrets where text.contains(secret) { text = text.replacing(secret, with: Self.placeholder) }
        text = Secrets.text(text)
        if text.utf8.contains(UInt8(ascii: "@")) { text = withoutMails(text) }
        if text.utf8.count(where: \.isDigit) >= 8 { text = withoutPhones(text) }
        if text.contains("{{") {
            hasBraces = true
            text = text.replacing("{{", with: "{ {")
        }
        return text
    }

    // MARK: Recognising

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
            let isEncoded = bytes[index...].starts(with: "%40".utf8)
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
            let address = String(decoding: result[start...] + bytes[index..<end], as: UTF8.self)
            let placeholder = mails[address] ?? "user\(mails.count + 1)@example.com"
            mails[address] = placeholder
            secrets.insert(address)
            result.removeSubrange(start...)
            result += placeholder.utf8
            index = end
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Digits as people group them: a plus sign or a zero first, 9 to 15 of them, and no date, id or number of a plan.
    private mutating func withoutPhones(_ text: String) -> String {
        var result: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let isStart =
                (bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "0"))
                && (result.last.map { !$0.isDigit && !$0.isLetter && !"-.:_/".utf8.contains($0) } ?? true)
            var end = index
            var digits = 0
            if isStart {
                while end < bytes.count, bytes[end].isDigit || "+-() .".utf8.contains(bytes[end]) {
                    if bytes[end].isDigit { digits += 1 }
                    end += 1
                }
                while end > index, !bytes[end - 1].isDigit { end -= 1 }
            }
            guard isStart, 9...15 ~= digits, end == bytes.count || !bytes[end].isLetter else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let number = String(decoding: bytes[index..<end], as: UTF8.self)
            let placeholder = phones[number] ?? "+1 555 01\(phones.count < 90 ? 10 + phones.count : 99)"
            phones[number] = placeholder
            secrets.insert(number)
            result += placeholder.utf8
            index = end
        }
        return String(decoding: result, as: UTF8.self)
    }
}
