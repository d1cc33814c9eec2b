import Basics

/// The credentials of the scheme Basic (RFC 7617, section 2).
package struct BasicCredentials: Sendable, Hashable {
    package var user: String
    package var password: String

    /// - Returns: `nil` for any other scheme, and for what is not Base64 of a text with a colon.
    package init?(field value: String) {
        let scheme = "basic "
        guard value.utf8.count > scheme.utf8.count,
            zip(value.lowercased().utf8, scheme.utf8).allSatisfy({ $0 == $1 }),
            let bytes = Base64.decode(String(value.dropFirst(scheme.utf8.count).drop { $0 == " " })),
            let text = String(validUTF8: bytes), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        user = String(text[..<colon])
        password = String(text[text.utf8.index(after: colon)...])
    }
}
