package import HTTPCodec

/// A name and a value as a command line has them.
package struct NamedValue: Sendable, Hashable {
    package var name: String
    package var value: String

    /// Reads `user=me`; only the first equals sign separates.
    package init?(pair text: String) {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals > text.startIndex else { return nil }
        name = String(text[..<equals])
        value = String(Substring(text.utf8[equals...].dropFirst()))
    }

    /// Reads `X-Key: value` as it could be in a request.
    package init?(field text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = text.utf8[colon...].dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        self.name = String(text[..<colon])
        self.value = String(Substring(value))
        guard HTTPFields.isName(name), HTTPFields.isValue(self.value) else { return nil }
    }
}

/// A method and a path as a command line has them: `POST /auth`.
package struct NamedRequest: Sendable, Hashable {
    package var method: HTTPMethod
    package var path: String

    package init?(_ text: String) {
        let words = text.utf8.split(separator: 0x20).map { String(Substring($0)) }
        guard words.count == 2, words[1].utf8.first == UInt8(ascii: "/") else { return nil }
        method = HTTPMethod(rawValue: words[0])
        path = words[1]
        guard method.isWellFormed, path.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") }) else {
            return nil
        }
    }
}
