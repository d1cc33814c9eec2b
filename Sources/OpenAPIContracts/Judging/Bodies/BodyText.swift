import Basics

/// Bytes as the strings that a schema judges.
enum BodyText {
    /// UTF-8 where the bytes are valid UTF-8.
    static func text(_ bytes: [UInt8]) -> String {
        String(validUTF8: bytes) ?? octets(bytes)
    }

    /// A scalar for each byte, so that a length counts bytes, as `maxLength` of binary strings does (OpenAPI 3.1,
    /// section 4.8.14.2).
    static func octets(_ bytes: [UInt8]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return text
    }
}
