/// Shortens what must not be found in a report that is passed around: tokens, cookies, passwords.
///
/// Enough is left of each to distinguish two: `eyJhbG…x4Qk`.
package enum Secrets {
    /// A secret that is known to be one, so that only its ends are left.
    package static func shortened(_ secret: some StringProtocol) -> String {
        let scalars = secret.unicodeScalars
        guard secret.utf8.count > 14 else { return secret.isEmpty ? "" : "…" }
        return String(String.UnicodeScalarView(scalars.prefix(6))) + "…"
            + String(String.UnicodeScalarView(scalars.suffix(4)))
    }

    /// The value of a header field.
    package static func field(_ name: String, _ value: String) -> String {
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            guard let space = value.utf8.firstIndex(of: UInt8(ascii: " ")) else { return shortened(value) }
            return value[...space] + shortened(value[space...].drop { $0 == " " })
        case "cookie": return pairs(value[...], between: ";") { _ in true }
        case "set-cookie":
            let end = value.utf8.firstIndex(of: UInt8(ascii: ";")) ?? value.endIndex
            return pairs(value[..<end], between: ";") { _ in true } + value[end...]
        case let name where isSecret(name): return shortened(value)
        case "referer", "location", "content-location": return target(value)
        default: return text(value)
        }
    }

    /// A request's target, or another URL: its query and its fragment may contain secrets.
    package static func target(_ target: String) -> String {
        let (path, others) = parts(ofTarget: target)
        return others.reduce(text(String(path))) { $0 + String($1.prefix(1)) + pairs($1.dropFirst(), between: "&") }
    }

    /// The path of a request's target or another URL, and its query and its fragment, each with the mark before it.
    package static func parts(ofTarget target: String) -> (path: Substring, others: [Substring]) {
        let hash = target.utf8.firstIndex(of: UInt8(ascii: "#")) ?? target.endIndex
        let mark = target[..<hash].utf8.firstIndex(of: UInt8(ascii: "?")) ?? hash
        return (target[..<mark], [target[mark..<hash], target[hash...]].filter { !$0.isEmpty })
    }

    /// Any text: each part that looks like a JSON Web Token is shortened, at any place.
    package static func text(_ text: String) -> String {
        guard text.utf8.count > 10 else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var (copied, offset) = (0, 0)
        while offset + 3 < bytes.count {
            guard bytes[offset] == UInt8(ascii: "e"), bytes[offset + 1] == UInt8(ascii: "y"),
                bytes[offset + 2] == UInt8(ascii: "J"), offset == 0 || !isTokenByte(bytes[offset - 1])
            else {
                offset += 1
                continue
            }
            let end = bytes[offset...].firstIndex { !isTokenByte($0) } ?? bytes.count
            if bytes[offset..<end].contains(UInt8(ascii: ".")) {
                result += bytes[copied..<offset]
                result += shortened(String(decoding: bytes[offset..<end], as: UTF8.self)).utf8
                copied = end
            }
            offset = end
        }
        return copied == 0 ? text : String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The items of a query, a form or a cookie, with the values of secrets shortened.
    package static func pairs(
        _ text: Substring,
        between separator: Unicode.Scalar,
        _ isSecret: (String) -> Bool = Secrets.isSecret
    ) -> String {
        let byte = UInt8(ascii: separator)
        return text.utf8.split(separator: byte, omittingEmptySubsequences: false).map { pair in
            let pair = Substring(pair)
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return Secrets.text(String(pair)) }
            let value = pair[pair.utf8.index(after: equals)...]
            let shown = isSecret(String(pair[..<equals])) ? shortened(value) : Secrets.text(String(value))
            return pair[...equals] + shown
        }.joined(separator: String(separator))
    }

    /// Returns whether a name indicates that its value is a secret.
    package static func isSecret(_ name: String) -> Bool { contains(words, in: name) }

    /// Returns whether a name indicates that its value is a password: a secret that users choose, so that others can
    /// guess it.
    package static func isPassword(_ name: String) -> Bool { contains(passwordWords, in: name) }

    private static func contains(_ words: [[UInt8]], in name: String) -> Bool {
        guard name.utf8.count >= 3 else { return false }
        let letters = name.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case UInt8(ascii: "_"), UInt8(ascii: "-"): nil
            default: byte
            }
        }
        let plain = String(decoding: letters, as: UTF8.self)
        guard !plain.hasSuffix("type"), !plain.hasSuffix("typehint"), !plain.hasSuffix("count") else { return false }
        return passwordNames.contains(plain)
            || words.contains { word in letters.indices.contains { letters[$0...].starts(with: word) } }
    }

    /// Names of passwords that are parts of other names.
    private static let passwordNames: Set = ["pass", "pin", "otp", "totp"]

    private static let passwordWords = [
        "passw", "passphrase", "passcode", "pwd", "secret", "credential", "pincode", "otpcode", "smscode",
        "verificationcode",
    ].map { Array($0.utf8) }

    private static let words =
        passwordWords + ["token", "authorization", "apikey", "sessionid", "jwt"].map { Array($0.utf8) }
}
