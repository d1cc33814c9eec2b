/// Names of hosts: RFC 1123, section 2.1, and RFC 5890 for other scripts.
enum HostNameFormat {
    /// The longest name in ASCII; RFC 1035's 255 octets hold two lengths besides.
    private static let longestName = 253

    /// A name in ASCII; labels that begin with `xn--` must stand for a valid name in another script.
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
