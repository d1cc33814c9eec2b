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
        let count = bytes.reduce(bytes.count) { $1 < 0x80 ? $0 : $0 + 1 }
        return String(unsafeUninitializedCapacity: count) { text in
            var end = 0
            for byte in bytes {
                if byte < 0x80 {
                    text[end] = byte
                    end += 1
                } else {
                    // The two bytes of UTF-8 for U+0080 to U+00FF.
                    text[end] = 0xC0 | byte >> 6
                    text[end + 1] = 0x80 | byte & 0x3F
                    end += 2
                }
            }
            return end
        }
    }
}
