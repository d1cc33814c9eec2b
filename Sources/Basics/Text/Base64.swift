/// Base64, and its URL-safe form without padding (RFC 4648, sections 4 and 5).
package enum Base64 {
    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlSafe = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The standard alphabet, padded: what the authentication scheme Basic sends (RFC 7617, section 2).
    package static func encode(_ bytes: [UInt8]) -> String {
        let text = encode(bytes, alphabet: standard)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    /// The form that tokens have (RFC 7515, section 2).
    package static func encodeURL(_ bytes: [UInt8]) -> String {
        encode(bytes, alphabet: urlSafe)
    }

    private static func encode(_ bytes: [UInt8], alphabet: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 4 / 3 + 3)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> count & 0x3F)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes the standard alphabet with its padding; `nil` when the text is anything else.
    package static func decode(_ text: String) -> [UInt8]? {
        let characters = text.utf8
        guard characters.count % 4 == 0 else { return nil }
        let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var isStandard = true
        let urlSafe = characters.dropLast(padding).map { character -> UInt8 in
            switch character {
            case UInt8(ascii: "+"): return UInt8(ascii: "-")
            case UInt8(ascii: "/"): return UInt8(ascii: "_")
            case UInt8(ascii: "-"), UInt8(ascii: "_"): isStandard = false
            default: break
            }
            return character
        }
        return isStandard ? decodeURL(urlSafe) : nil
    }

    /// Decodes URL-safe text without padding; `nil` when it holds anything else.
    ///
    /// Bits that are left over must be zero, so that no two texts mean the same bytes.
    package static func decodeURL(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.underestimatedCount * 3 / 4)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for character in text {
            let value = values[Int(character)]
            guard value != none else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return count < 6 && bits & (1 << count - 1) == 0 ? bytes : nil
    }

    private static let none: UInt8 = 0xFF
    /// The value of each URL-safe character, by its code.
    private static let values = {
        var values = [UInt8](repeating: none, count: 256)
        for (value, character) in urlSafe.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()
}
