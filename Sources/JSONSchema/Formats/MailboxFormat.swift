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
