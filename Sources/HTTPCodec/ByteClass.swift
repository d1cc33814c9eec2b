/// The character classes of the HTTP and URI grammars, as bit masks over ASCII so that a test costs a shift.
enum ByteClass {
    /// `tchar`, RFC 9110, section 5.6.2.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        contains(byte, 0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)
    }

    /// What may stand inside a field value: HTAB, SP, VCHAR and obs-text, RFC 9110, section 5.5.
    @inline(__always)
    static func isFieldContent(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7F) || byte == 0x09
    }

    /// What is let through in a request target: visible ASCII but `#`.
    ///
    /// Stricter than nothing, laxer than RFC 3986: brackets, bars and backslashes do not move the target's ends, and
    /// clients send them.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != 0x23
    }

    /// `unreserved`, RFC 3986, section 2.3.
    @inline(__always)
    static func isUnreserved(_ byte: UInt8) -> Bool {
        contains(byte, 0x03FF_6000_0000_0000, 0x47FF_FFFE_87FF_FFFE)
    }

    /// `unreserved` and `sub-delims` but the comma, which in Host would join two hosts.
    @inline(__always)
    static func isRegisteredName(_ byte: UInt8) -> Bool {
        contains(byte, 0x2BFF_6FD2_0000_0000, 0x47FF_FFFE_87FF_FFFE)
    }

    @inline(__always)
    static func isSpaceOrTab(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// The value of a hexadecimal digit in either case.
    @inline(__always)
    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        if byte &- 0x30 < 10 { return byte &- 0x30 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }

    @inline(__always)
    private static func contains(_ byte: UInt8, _ low: UInt64, _ high: UInt64) -> Bool {
        guard byte < 128 else { return false }
        return ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 == 1
    }
}
