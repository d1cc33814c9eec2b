import JSONText

/// Shortens what nobody should find in a report that is passed around: tokens, cookies, passwords.
///
/// Enough is left of each to tell two apart: `eyJhbG…x4Qk`.
enum Secrets {
    /// A secret that is known to be one.
    static func shortened(_ secret: some StringProtocol) -> String {
        let scalars = secret.unicodeScalars
        guard scalars.count > 14 else { return scalars.isEmpty ? "" : "…" }
        return String(String.UnicodeScalarView(scalars.prefix(6))) + "…"
            + String(String.UnicodeScalarView(scalars.suffix(4)))
    }

    /// The value of a header field.
    static func field(_ name: String, _ value: String) -> String {
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            guard let space = value.firstIndex(of: " ") else { return shortened(value) }
            return value[...space] + shortened(value[space...].drop { $0 == " " })
        case "cookie": return pairs(value, between: ";") { _ in true }
        case "set-cookie":
            let end = value.firstIndex(of: ";") ?? value.endIndex
            return pairs(String(value[..<end]), between: ";") { _ in true } + value[end...]
        case let name where isSecret(name): return shortened(value)
        default: return text(value)
        }
    }

    /// A request's target.
    static func target(_ target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return text(target) }
        return text(String(target[..<mark])) + "?" + pairs(String(target[target.index(after: mark)...]), between: "&")
    }

    /// A body, in lines where it is JSON.
    static func body(_ body: String) -> String {
        let longestRead = 200_000
        guard body.utf8.count <= longestRead else { return text(body) }
        if let first = body.utf8.first(where: { !" \t\r\n".utf8.contains($0) }), "[{\"".utf8.contains(first),
            let document = try? JSONParser(duplicateNames: .lastWins).parse(body)
        {
            return value(document.root).text(.pretty)
        }
        return body.utf8.contains(UInt8(ascii: "=")) && !body.utf8.contains(UInt8(ascii: " "))
            ? pairs(body, between: "&") : text(body)
    }

    /// Any text: what looks like a JSON Web Token is shortened wherever it stands.
    static func text(_ text: String) -> String {
        guard text.utf8.count > 20, text.utf8.contains(UInt8(ascii: "e")) else { return text }
        var (result, word, isChanged) = (String.UnicodeScalarView(), String.UnicodeScalarView(), false)
        func flush(_ word: inout String.UnicodeScalarView) {
            if isJSONWebToken(word) {
                result.append(contentsOf: shortened(String(word)).unicodeScalars)
                isChanged = true
            } else {
                result.append(contentsOf: word)
            }
            word.removeAll(keepingCapacity: true)
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": word.append(scalar)
            default:
                flush(&word)
                result.append(scalar)
            }
        }
        flush(&word)
        return isChanged ? String(result) : text
    }

    private static func isJSONWebToken(_ word: String.UnicodeScalarView) -> Bool {
        word.count > 20 && word.starts(with: "eyJ".unicodeScalars) && word.count { $0 == "." } >= 2
    }

    private static func value(_ value: JSONValue, isSecret: Bool = false) -> JSONValue {
        switch value.content {
        case .string(let string): return .string(isSecret ? shortened(string) : text(string))
        case .array(let elements): return .array(elements.map { Secrets.value($0, isSecret: isSecret) })
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map { ($0.name, Secrets.value($0.value, isSecret: Secrets.isSecret($0.name))) }
                )
            )
        default: return value
        }
    }

    private static func pairs(
        _ text: String,
        between separator: Character,
        _ isSecret: (String) -> Bool = Secrets.isSecret
    ) -> String {
        text.split(separator: separator, omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: "=") else { return Secrets.text(String(pair)) }
            let value = pair[pair.index(after: equals)...]
            return pair[...equals]
                + (isSecret(String(pair[..<equals])) ? shortened(value) : Secrets.text(String(value)))
        }.joined(separator: String(separator))
    }

    /// Whether a name says that its value is a secret.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased().filter { $0 != "_" && $0 != "-" }
        guard !name.hasSuffix("type"), !name.hasSuffix("count") else { return false }
        return ["token", "secret", "password", "authorization", "apikey", "sessionid", "credential", "jwt"]
            .contains { name.contains($0) }
    }
}
