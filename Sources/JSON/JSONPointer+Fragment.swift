import Basics

extension JSONPointer {
    /// Reads the form of a URI's fragment (section 6), number sign included: `#/paths/~1users`.
    ///
    /// `nil` when a percent sign is not followed by two hexadecimal digits or the decoded bytes are not UTF-8.
    package init?(fragment: String) {
        guard fragment.utf8.first == UInt8(ascii: "#") else { return nil }
        var bytes: [UInt8] = []
        var rest = fragment.utf8.dropFirst().makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue else { return nil }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validUTF8: bytes) else { return nil }
        self.init(text)
    }

    /// The form of a URI's fragment, number sign included, with everything percent-encoded that a fragment may not hold.
    package var fragment: String {
        var bytes: [UInt8] = [UInt8(ascii: "#")]
        for byte in description.utf8 {
            if JSONPointer.mayStandInFragment(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                for digit in [byte >> 4, byte & 0x0F] {
                    bytes.append(digit < 10 ? .zero + digit : UInt8(ascii: "A") + digit - 10)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// RFC 3986, section 3.5: unreserved characters, sub-delimiters and `:@/?`.
    private static func mayStandInFragment(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
    }
}
