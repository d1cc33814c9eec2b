/// The character classes of the HTTP and URI grammars, as bit masks over ASCII so that a test costs a shift.
enum ByteClass {
    /// `tchar`, RFC 9110, section 5.6.2.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        contains(byte, 0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)
    }

    /// The allowed bytes of a field value: HTAB, SP, VCHAR and obs-text (RFC 9110, section 5.5).
    @inline(__always)
    static func isFieldContent(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7F) || byte == 0x09
    }

    /// The allowed bytes of a request target: visible ASCII except `#`.
    ///
    /// Stricter than nothing, laxer than RFC 3986: brackets, bars and backslashes do not move the target's ends, and
    /// clients send them.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != 0x23
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

/// The bytes that writers append, without intermediate strings.
extension [UInt8] {
    /// Makes room in steps that double, so that many small responses in one buffer stay linear.
    mutating func grow(by additional: Int) {
        let needed = count + additional
        if needed > capacity { reserveCapacity(Swift.max(needed, capacity * 2)) }
    }

    @inline(__always)
    mutating func append(literal text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func appendLineEnd() {
        append(0x0D)
        append(0x0A)
    }

    /// - Parameter value: Ours or checked: it is not checked again.
    mutating func appendField(_ nameAndColon: StaticString, _ value: String) {
        append(literal: nameAndColon)
        append(contentsOf: value.utf8)
        appendLineEnd()
    }

    mutating func append(decimal number: Int) {
        append(digitsOf: UInt64(Swift.max(0, number)), radix: 10)
    }

    mutating func append(hexadecimal number: Int) {
        append(digitsOf: UInt64(Swift.max(0, number)), radix: 16)
    }

    private mutating func append(digitsOf number: UInt64, radix: UInt64) {
        var divisor: UInt64 = 1
        while number / divisor >= radix { divisor *= radix }
        var rest = number
        while divisor > 0 {
            let digit = UInt8(truncatingIfNeeded: rest / divisor)
            append(digit < 10 ? 0x30 + digit : 0x37 + digit)
            rest %= divisor
            divisor /= radix
        }
    }

    mutating func appendStatusLine(_ status: HTTPStatus) {
        if status.code == 200 {
            append(literal: "HTTP/1.1 200 OK\r\n")
            return
        }
        append(literal: "HTTP/1.1 ")
        append(decimal: status.code)
        // The space stays although the phrase is empty (RFC 9112, section 4).
        append(0x20)
        append(contentsOf: status.reasonPhrase.utf8)
        appendLineEnd()
    }

    /// Field lines but for those that the writer decides.
    mutating func append(_ fields: HTTPFields) {
        if fields.isWireForm, fields.known.isDisjoint(with: .framing) {
            append(contentsOf: fields.bytes)
            return
        }
        for entry in fields.entries where entry.known.isDisjoint(with: .framing) {
            append(contentsOf: fields.bytes[entry.name])
            append(0x3A)
            append(0x20)
            append(contentsOf: fields.bytes[entry.value])
            appendLineEnd()
        }
    }
}
