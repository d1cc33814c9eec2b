/// Percent-encoding of RFC 3986, section 2.1.
package enum PercentEncoding {
    /// `nil` when a percent sign is not followed by two hexadecimal digits, or when the bytes are not valid UTF-8.
    package static func decode(_ text: String, plusIsSpace: Bool = false) -> String? {
        decode(text[...], plusIsSpace: plusIsSpace)
    }

    /// `nil` when a percent sign is not followed by two hexadecimal digits, or when the bytes are not valid UTF-8.
    package static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        if !text.utf8.contains(where: { $0 == 0x25 || $0 == 0x2B && plusIsSpace }) { return String(text) }
        return decodedBytes(text.utf8, plusIsSpace: plusIsSpace).flatMap { String(validUTF8: $0) }
    }

    /// The bytes that were encoded, which need not be text.
    package static func decodedBytes(_ encoded: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.underestimatedCount)
        var iterator = encoded.makeIterator()
        while let byte = iterator.next() {
            if byte == 0x25 {
                guard let high = iterator.next().flatMap(\.hexadecimalDigitValue),
                    let low = iterator.next().flatMap(\.hexadecimalDigitValue)
                else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte == 0x2B && plusIsSpace ? 0x20 : byte)
            }
        }
        return bytes
    }

    /// Encodes all but unreserved characters and the ASCII ones that are allowed on top.
    package static func encode(_ text: String, allowing allowed: String = "") -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte.isUnreserved || byte < 0x80 && allowed.utf8.contains(byte) {
                encoded.append(byte)
            } else {
                encoded.append(0x25)
                encoded.append(hexadecimalDigit(byte >> 4))
                encoded.append(hexadecimalDigit(byte & 15))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x37 + value
    }
}
