import Basics

/// The grammar of a number (RFC 8259, section 6), shared by the parser and ``JSONNumber``.
enum NumberGrammar {
    /// Finds the end of the number that begins at an offset with a minus sign or a digit.
    ///
    /// - Parameter end: becomes the offset behind the number.
    /// - Returns: what is wrong with it and where, or `nil`.
    @inline(__always)
    static func scan(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        end: inout Int
    ) -> (reason: JSONSyntaxError.Reason, offset: Int)? {
        var offset = start
        if offset < bytes.count, bytes[offset] == .minus { offset += 1 }
        let integer = offset
        skipDigits(bytes, &offset)
        guard offset > integer else { return (.missingIntegerDigits, start) }
        if bytes[integer] == .zero, offset > integer + 1 { return (.leadingZero, start) }
        if offset < bytes.count, bytes[offset] == .point {
            let fraction = offset + 1
            offset = fraction
            skipDigits(bytes, &offset)
            guard offset > fraction else { return (.missingFractionDigits, start) }
        }
        if offset < bytes.count, bytes[offset] | 0x20 == .lowerE {
            offset += 1
            if offset < bytes.count, bytes[offset] == .plus || bytes[offset] == .minus { offset += 1 }
            let exponent = offset
            skipDigits(bytes, &offset)
            guard offset > exponent else { return (.missingExponentDigits, start) }
        }
        end = offset
        return nil
    }

    @inline(__always)
    private static func skipDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int) {
        while offset < bytes.count, bytes[offset].isDigit { offset += 1 }
    }
}
