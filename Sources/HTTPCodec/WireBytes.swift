/// What the writers append, without strings in between.
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
