/// URI templates by the grammar of RFC 6570, section 2.
enum URITemplateFormat {
    static func accepts(_ text: String) -> Bool {
        let bytes = Array(text.utf8)[...]
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case 0x7B:
                guard let end = bytes[index...].firstIndex(of: 0x7D), isExpression(bytes[(index + 1)..<end]) else {
                    return false
                }
                index = end + 1
            case 0x25:
                guard FormatByte.isPercentEncoding(in: bytes, at: index) else { return false }
                index += 3
            case 0x80...:
                guard let scalar = FormatScalar.first(in: bytes[index...]),
                    FormatScalar.isUniversal(scalar) || FormatScalar.isPrivateUse(scalar)
                else { return false }
                index += UTF8.width(scalar)
            default:
                guard isLiteral(bytes[index]) else { return false }
                index += 1
            }
        }
        return true
    }

    /// What stands for itself outside of expressions: no controls and none of space `"<>\^`|}`.
    ///
    /// The apostrophe is among them by erratum 6937.
    private static func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23, 0x24, 0x26...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E: true
        default: false
        }
    }

    private static func isExpression(_ bytes: ArraySlice<UInt8>) -> Bool {
        var variables = bytes
        if let first = bytes.first, isOperator(first) { variables = bytes.dropFirst() }
        return variables.split(separator: 0x2C, omittingEmptySubsequences: false).allSatisfy(isVariable)
    }

    /// Operators of all levels, `+#./;?&`, and those reserved for later, `=,!@|`.
    private static func isOperator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23, 0x26, 0x2B, 0x2C, 0x2E, 0x2F, 0x3B, 0x3D, 0x3F, 0x40, 0x7C: true
        default: false
        }
    }

    /// A name with an asterisk or a prefix length of one to four digits perhaps.
    private static func isVariable(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.last == 0x2A { return isName(bytes.dropLast()) }
        guard let colon = bytes.firstIndex(of: 0x3A) else { return isName(bytes) }
        let length = bytes[(colon + 1)...]
        return isName(bytes[..<colon]) && 1...4 ~= length.count && length.first != 0x30
            && length.allSatisfy(FormatByte.isDigit)
    }

    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { part in
            var index = part.startIndex
            while index < part.endIndex {
                if FormatByte.isLetterOrDigit(part[index]) || part[index] == 0x5F {
                    index += 1
                } else {
                    guard FormatByte.isPercentEncoding(in: part, at: index) else { return false }
                    index += 3
                }
            }
            return !part.isEmpty
        }
    }
}
