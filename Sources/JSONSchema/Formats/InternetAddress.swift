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

    /// The number of 16-bit groups, or `nil` when something is none.
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
