/// URIs by the grammar of RFC 3986, appendix A, and IRIs by RFC 3987, section 2.2.
struct ResourceIdentifier {
    /// A Boolean value that indicates whether characters beyond ASCII may be written unencoded.
    var isInternational: Bool

    /// - Parameter isReference: whether the scheme may be missing.
    func accepts(_ text: String, isReference: Bool) -> Bool {
        var rest = Array(text.utf8)[...]
        // A colon before any slash ends a scheme: in a relative reference the first segment has none.
        if let mark = rest.first(where: { $0 == 0x3A || $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }), mark == 0x3A {
            let scheme = rest.prefix { $0 != 0x3A }
            guard Self.isScheme(scheme) else { return false }
            rest = rest[(scheme.endIndex + 1)...]
        } else if !isReference {
            return false
        }
        if let fragment = Self.cut(&rest, at: 0x23), !isText(fragment, alsoAllows: Self.isQuerySign) { return false }
        if let query = Self.cut(&rest, at: 0x3F),
            !isText(query, allowsPrivateUse: isInternational, alsoAllows: Self.isQuerySign)
        {
            return false
        }
        if rest.starts(with: [0x2F, 0x2F]) {
            let authority = rest.dropFirst(2).prefix { $0 != 0x2F }
            guard isAuthority(authority) else { return false }
            rest = rest[authority.endIndex...]
        }
        return isText(rest, alsoAllows: Self.isPathSign)
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, FormatByte.isLetter(first) else { return false }
        return bytes.allSatisfy { FormatByte.isLetterOrDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }
    }

    private func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        if let at = rest.firstIndex(of: 0x40) {
            guard isText(rest[..<at], alsoAllows: { $0 == 0x3A }) else { return false }
            rest = rest[(at + 1)...]
        }
        if rest.first == 0x5B {
            guard let end = rest.firstIndex(of: 0x5D) else { return false }
            let address = rest[(rest.startIndex + 1)..<end]
            guard InternetAddress.isV6(address) || InternetAddress.isFuture(address) else { return false }
            rest = rest[(end + 1)...]
            guard let colon = rest.first else { return true }
            return colon == 0x3A && rest.dropFirst().allSatisfy(FormatByte.isDigit)
        }
        if let port = Self.cut(&rest, at: 0x3A), !port.allSatisfy(FormatByte.isDigit) { return false }
        return isText(rest) { _ in false }
    }

    /// Takes away the first separator and all behind it, which is returned.
    private static func cut(_ rest: inout ArraySlice<UInt8>, at separator: UInt8) -> ArraySlice<UInt8>? {
        guard let index = rest.firstIndex(of: separator) else { return nil }
        let tail = rest[(index + 1)...]
        rest = rest[..<index]
        return tail
    }

    private static func isPathSign(_ byte: UInt8) -> Bool { byte == 0x3A || byte == 0x40 || byte == 0x2F }

    private static func isQuerySign(_ byte: UInt8) -> Bool { isPathSign(byte) || byte == 0x3F }

    /// Returns whether there are only unreserved characters, sub-delimiters, encoded bytes and what else is allowed
    /// here.
    private func isText(
        _ bytes: ArraySlice<UInt8>,
        allowsPrivateUse: Bool = false,
        alsoAllows: (UInt8) -> Bool
    ) -> Bool {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if FormatByte.isUnreserved(byte) || FormatByte.isSubDelimiter(byte) || alsoAllows(byte) {
                index += 1
            } else if byte == 0x25 {
                guard FormatByte.isPercentEncoding(in: bytes, at: index) else { return false }
                index += 3
            } else {
                guard byte >= 0x80, isInternational, let scalar = FormatScalar.first(in: bytes[index...]),
                    FormatScalar.isUniversal(scalar) || (allowsPrivateUse && FormatScalar.isPrivateUse(scalar))
                else { return false }
                index += UTF8.width(scalar)
            }
        }
        return true
    }
}

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

    /// The characters that may be written outside of expressions: no controls and none of space `"<>\^`|}`.
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
