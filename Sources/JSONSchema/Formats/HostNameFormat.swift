/// Names of hosts: RFC 1123, section 2.1, and RFC 5890 for other scripts.
enum HostNameFormat {
    /// The longest name in ASCII; RFC 1035's 255 octets also hold two lengths.
    private static let longestName = 253

    /// A name in ASCII; labels that begin with `xn--` must encode a valid name in another script.
    static func accepts(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard isLetterDigitHyphen(bytes[...]) else { return false }
        var labels: [InternationalLabel] = []
        for part in bytes.split(separator: 0x2E) {
            guard InternationalLabel.isEncoded(part) else {
                labels.append(InternationalLabel(scalars: part.map { Unicode.Scalar($0) }))
                continue
            }
            guard let label = InternationalLabel(encoded: part), label.isValid else { return false }
            labels.append(label)
        }
        return DirectionRule.accepts(labels)
    }

    /// A name whose labels are in any script, or in ASCII with or without the prefix `xn--`.
    static func acceptsInternational(_ text: String) -> Bool {
        var labels: [InternationalLabel] = []
        var length = 0
        let parts = text.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: isSeparator)
        // Every label takes a byte and its separator another one.
        guard parts.count <= longestName / 2 + 1 else { return false }
        for part in parts {
            guard let label = InternationalLabel(part), let encodedLength = label.encodedLength else { return false }
            labels.append(label)
            length += encodedLength + 1
        }
        return length - 1 <= longestName && DirectionRule.accepts(labels)
    }

    /// Labels of letters, digits and inner hyphens, with dots between them.
    static func isLetterDigitHyphen(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= longestName
            && bytes.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    static func isLabel(_ bytes: ArraySlice<UInt8>) -> Bool {
        1...63 ~= bytes.count && bytes.first != 0x2D && bytes.last != 0x2D
            && bytes.allSatisfy { FormatByte.isLetterOrDigit($0) || $0 == 0x2D }
    }

    /// The dots that people type in names (RFC 3490, section 3.1; RFC 5895 keeps them).
    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "\u{3002}", "\u{FF0E}", "\u{FF61}": true
        default: false
        }
    }
}

/// Addresses of the Internet Protocol in their textual form.
enum InternetAddress {
    /// Four decimal numbers without leading zeros (RFC 2673, section 3.2, with RFC 3986's `dec-octet`).
    static func isV4(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 15 else { return false }
        let parts = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy(isOctet)
    }

    /// Eight groups, `::` once for one or more of zeros, an IPv4 address perhaps in place of the last two groups
    /// (RFC 4291, section 2.2); neither zone nor prefix length.
    static func isV6(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 45 else { return false }
        guard let gap = firstGap(in: bytes) else { return groups(in: bytes, mayEndInV4: true) == 8 }
        guard let before = groups(in: bytes[..<gap], mayEndInV4: false),
            let after = groups(in: bytes[(gap + 2)...], mayEndInV4: true)
        else { return false }
        return before + after <= 7
    }

    /// `IPvFuture` of RFC 3986, section 3.2.2: `v1.anything`.
    static func isFuture(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first | 0x20 == 0x76, let point = bytes.firstIndex(of: 0x2E) else {
            return false
        }
        let version = bytes[(bytes.startIndex + 1)..<point]
        let address = bytes[(point + 1)...]
        return !version.isEmpty && version.allSatisfy(FormatByte.isHexDigit) && !address.isEmpty
            && address.allSatisfy { FormatByte.isUnreserved($0) || FormatByte.isSubDelimiter($0) || $0 == 0x3A }
    }

    private static func isOctet(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard 1...3 ~= bytes.count, bytes.allSatisfy(FormatByte.isDigit) else { return false }
        guard bytes.count == 1 || bytes.first != 0x30 else { return false }
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
    }

    private static func firstGap(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.dropLast().first { bytes[$0] == 0x3A && bytes[$0 + 1] == 0x3A }
    }

    /// The number of 16-bit groups, or `nil` when one of them is not valid.
    private static func groups(in bytes: ArraySlice<UInt8>, mayEndInV4: Bool) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        let parts = bytes.split(separator: 0x3A, omittingEmptySubsequences: false)
        var count = 0
        for (number, part) in parts.enumerated() {
            if 1...4 ~= part.count, part.allSatisfy(FormatByte.isHexDigit) {
                count += 1
            } else if mayEndInV4, number == parts.count - 1, isV4(part) {
                count += 2
            } else {
                return nil
            }
        }
        return count
    }
}

/// Mailboxes as SMTP takes them: `Mailbox` of RFC 5321, section 4.1.2, and RFC 6531 for other scripts.
enum MailboxFormat {
    static func accepts(_ text: String, isInternational: Bool) -> Bool {
        let bytes = Array(text.utf8)
        guard let localEnd = endOfLocalPart(of: bytes, isInternational: isInternational), 1...64 ~= localEnd,
            localEnd < bytes.count, bytes[localEnd] == 0x40
        else { return false }
        let domain = bytes[(localEnd + 1)...]
        if domain.first == 0x5B { return domain.last == 0x5D && isAddressLiteral(domain.dropFirst().dropLast()) }
        let isASCII = domain.allSatisfy { $0 < 0x80 }
        guard isInternational, !isASCII else { return HostNameFormat.isLetterDigitHyphen(domain) }
        return HostNameFormat.acceptsInternational(String(decoding: domain, as: UTF8.self))
    }

    private static func endOfLocalPart(of bytes: [UInt8], isInternational: Bool) -> Int? {
        bytes.first == 0x22
            ? endOfQuotedString(in: bytes, isInternational: isInternational)
            : endOfDotString(in: bytes, isInternational: isInternational)
    }

    /// Words with single dots between them.
    private static func endOfDotString(in bytes: [UInt8], isInternational: Bool) -> Int? {
        var isAfterWord = false
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 0x2E:
                guard isAfterWord else { return nil }
                isAfterWord = false
            case 0x40:
                return isAfterWord ? index : nil
            default:
                guard byte < 0x80 ? isAtomText(byte) : isInternational else { return nil }
                isAfterWord = true
            }
        }
        return nil
    }

    private static func endOfQuotedString(in bytes: [UInt8], isInternational: Bool) -> Int? {
        var index = 1
        while index < bytes.count {
            switch bytes[index] {
            case 0x22:
                return index + 1
            case 0x5C:
                guard index + 1 < bytes.count, 0x20...0x7E ~= bytes[index + 1] else { return nil }
                index += 2
            case 0x20...0x7E:
                index += 1
            default:
                guard bytes[index] >= 0x80, isInternational else { return nil }
                index += 1
            }
        }
        return nil
    }

    /// `atext`, RFC 5322, section 3.2.3.
    private static func isAtomText(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2F, 0x3D, 0x3F, 0x5E...0x60, 0x7B...0x7E: true
        default: FormatByte.isLetterOrDigit(byte)
        }
    }

    /// An IPv4 address, or an IPv6 address with its tag: no other tag is registered.
    private static func isAddressLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let colon = bytes.firstIndex(of: 0x3A) else { return InternetAddress.isV4(bytes) }
        let tag = bytes[..<colon].map { $0 | 0x20 }
        return tag.elementsEqual("ipv6".utf8.map { $0 | 0x20 }) && InternetAddress.isV6(bytes[(colon + 1)...])
    }
}
