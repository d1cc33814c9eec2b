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
        bytes.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return "" }
            return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
                guard let start = text.baseAddress else { return 0 }
                var (next, end) = (0, 0)
                while next < bytes.count {
                    let byte = source[next]
                    next += 1
                    if byte < 0x80 {
                        start[end] = byte
                        end += 1
                    } else {
                        // The two bytes of UTF-8 for U+0080 to U+00FF.
                        start[end] = 0xC0 | byte >> 6
                        start[end + 1] = 0x80 | byte & 0x3F
                        end += 2
                    }
                }
                return end
            }
        }
    }
}
