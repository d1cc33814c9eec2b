/// One label of a domain name, in Unicode (RFC 5890, section 2.3).
struct InternationalLabel {
    let scalars: [Unicode.Scalar]

    init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    /// Takes a label of any form; `nil` when it is none.
    init?(_ text: Substring.UnicodeScalarView) {
        // Every scalar takes a byte at least in the encoded form.
        guard 1...Self.longest ~= text.prefix(Self.longest + 1).count else { return nil }
        var label = InternationalLabel(scalars: Array(text))
        if text.allSatisfy(\.isASCII) {
            let bytes = text.map { UInt8(truncatingIfNeeded: $0.value) }
            if Self.isEncoded(bytes[...]) {
                guard let decoded = InternationalLabel(encoded: bytes[...]) else { return nil }
                label = decoded
            } else if !HostNameFormat.isLabel(bytes[...]) || label.hasReservedHyphens {
                return nil
            }
        }
        guard label.isValid else { return nil }
        self = label
    }

    /// Decodes a label that begins with `xn--`; `nil` when it is not the one encoding of its scalars.
    init?(encoded bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.longest else { return nil }
        let lowercase = bytes.dropFirst(4).map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        guard let decoded = Punycode.decode(lowercase), !decoded.allSatisfy(\.isASCII),
            Punycode.encode(decoded) == lowercase
        else { return nil }
        scalars = decoded
    }

    /// Whether a label has the prefix of encoded ones, `xn--` in any case.
    static func isEncoded(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count >= 4 && bytes.prefix(2).map { $0 | 0x20 } == [0x78, 0x6E]
            && bytes.dropFirst(2).prefix(2).allSatisfy { $0 == 0x2D }
    }

    /// The length in ASCII; `nil` when it is more than a label may have.
    var encodedLength: Int? {
        if scalars.allSatisfy(\.isASCII) { return scalars.count <= Self.longest ? scalars.count : nil }
        guard let encoded = Punycode.encode(scalars), encoded.count + 4 <= Self.longest else { return nil }
        return encoded.count + 4
    }

    /// Whether the rules of RFC 5891, section 4.2.3, are met; the rule about direction looks at the whole name.
    var isValid: Bool {
        guard let first = scalars.first, let last = scalars.last else { return false }
        if scalars.allSatisfy(\.isASCII) { return true }
        return first != "-" && last != "-" && !hasReservedHyphens && !isMark(first)
            && scalars.indices.allSatisfy { mayStand(at: $0) }
    }

    private static let longest = 63

    /// Hyphens in the third and fourth place, which are kept for prefixes (RFC 5891, section 4.2.3.1).
    private var hasReservedHyphens: Bool {
        scalars.count >= 4 && scalars[2] == "-" && scalars[3] == "-"
    }

    private func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    private func mayStand(at index: Int) -> Bool {
        switch DomainCharacter(scalars[index]) {
        case .valid: true
        case .contextual: ContextRule.accepts(scalars, at: index)
        case .disallowed: false
        }
    }
}
