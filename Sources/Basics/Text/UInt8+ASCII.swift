extension UInt8 {
    package var isASCIIDigit: Bool { self &- 0x30 < 10 }

    package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// `unreserved`, RFC 3986, section 2.3.
    package var isUnreserved: Bool {
        isASCIILetter || isASCIIDigit || [0x2D, 0x2E, 0x5F, 0x7E].contains(self)
    }

    /// The value of a hexadecimal digit in either case.
    package var hexadecimalDigitValue: UInt8? {
        if isASCIIDigit { return self - 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}

extension [UInt8] {
    /// Appends a number with leading zeros, up to that width; of a longer number only its last digits.
    package mutating func append(decimal number: Int, width: Int) {
        var divisor = 1
        for _ in 1..<Swift.max(width, 1) { divisor *= 10 }
        var rest = Swift.max(0, number) % (divisor * 10)
        while divisor > 0 {
            append(0x30 + UInt8(rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }
}
