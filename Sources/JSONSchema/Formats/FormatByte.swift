/// Classes of ASCII bytes that several formats share.
enum FormatByte {
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

    static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

    /// `unreserved`, RFC 3986, section 2.3.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x7E
    }

    /// `sub-delims`, RFC 3986, section 2.2: `!$&'()*+,;=`.
    static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D: true
        default: false
        }
    }

    /// Whether a percent sign at an index begins an encoded byte.
    static func isPercentEncoding(in bytes: ArraySlice<UInt8>, at index: Int) -> Bool {
        bytes.endIndex - index >= 3 && bytes[index] == 0x25 && isHexDigit(bytes[index + 1])
            && isHexDigit(bytes[index + 2])
    }
}
