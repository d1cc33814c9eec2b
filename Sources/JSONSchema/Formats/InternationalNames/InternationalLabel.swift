/// One label of a domain name, in Unicode (RFC 5890, section 2.3).
struct InternationalLabel {
    let scalars: [Unicode.Scalar]

    init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    /// Takes a label of any form; `nil` when it is not valid.
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

    /// Returns whether a label has the prefix of encoded ones, `xn--` in any case.
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

    /// A Boolean value that indicates whether the rules of RFC 5891, section 4.2.3, are met; the rule about direction
    /// looks at the whole name.
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

/// The rules for characters that are valid next to certain others only (RFC 5892, appendix A).
enum ContextRule {
    static func accepts(_ label: [Unicode.Scalar], at index: Int) -> Bool {
        let before = index > 0 ? label[index - 1] : nil
        let after = index + 1 < label.count ? label[index + 1] : nil
        switch label[index].value {
        // Zero width non-joiner and joiner.
        case 0x200C: return isVirama(before) || joins(label, around: index)
        case 0x200D: return isVirama(before)
        // The middle dot of Catalan, between two l.
        case 0xB7: return before == "l" && after == "l"
        // The Greek lower numeral sign.
        case 0x375: return after.map(Script.isGreek) ?? false
        // Hebrew geresh and gershayim.
        case 0x5F3, 0x5F4: return before.map(Script.isHebrew) ?? false
        // The Katakana middle dot.
        case 0x30FB: return label.contains(where: Script.isJapanese)
        // The two sets of Arabic digits are never in one label.
        case 0x660...0x669: return !label.contains { 0x6F0...0x6F9 ~= $0.value }
        case 0x6F0...0x6F9: return !label.contains { 0x660...0x669 ~= $0.value }
        default: return false
        }
    }

    private static func isVirama(_ scalar: Unicode.Scalar?) -> Bool {
        scalar?.properties.canonicalCombiningClass == .virama
    }

    /// Returns whether letters on both sides would join across the place, were it not for the character there.
    private static func joins(_ label: [Unicode.Scalar], around index: Int) -> Bool {
        let before = label[..<index].last { !JoiningType.isTransparent($0) }.flatMap(JoiningType.init)
        let after = label[(index + 1)...].first { !JoiningType.isTransparent($0) }.flatMap(JoiningType.init)
        return (before == .left || before == .dual) && (after == .right || after == .dual)
    }
}

/// The scripts that context rules name, as Unicode's Scripts.txt has them.
enum Script {
    static func isGreek(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x37E, 0x385, 0x387: false
        case 0x370...0x3E1, 0x3F0...0x3FF, 0x1D26...0x1D2A, 0x1D5D...0x1D61, 0x1D66...0x1D6A, 0x1DBF: true
        case 0x1F00...0x1FFE, 0x2126, 0xAB65, 0x1_0140...0x1_018E, 0x1_01A0, 0x1_D200...0x1_D245: true
        default: false
        }
    }

    static func isHebrew(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x591...0x5F4, 0xFB1D...0xFB4F: true
        default: false
        }
    }

    /// Hiragana, Katakana or Han.
    static func isJapanese(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF: true
        case 0x32D0...0x32FE, 0x3300...0x3357, 0xFF66...0xFF6F, 0xFF71...0xFF9D: true
        case 0x1_AFF0...0x1_AFFE, 0x1_B000...0x1_B122, 0x1_B132...0x1_B167, 0x1_F200: true
        case 0x2E80...0x2FD5, 0x3005, 0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3400...0x4DBF: true
        case 0x4E00...0x9FFF, 0xF900...0xFAD9, 0x1_6FE2...0x1_6FF1, 0x2_0000...0x3_23AF: true
        default: false
        }
    }
}

/// The role of a character in a label, derived from its Unicode properties by RFC 5892, section 3.
///
/// Derived, because the standard then follows Unicode's versions by itself: no table is kept.
enum DomainCharacter {
    case valid
    /// Valid where its ``ContextRule`` says so.
    case contextual
    /// Disallowed, or not assigned yet.
    case disallowed

    init(_ scalar: Unicode.Scalar) {
        self = Self.exception(scalar) ?? Self.derived(scalar)
    }

    /// Section 2.6; section 2.7, for compatibility with older versions, is still empty.
    private static func exception(_ scalar: Unicode.Scalar) -> DomainCharacter? {
        switch scalar.value {
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: .valid
        case 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x660...0x669, 0x6F0...0x6F9: .contextual
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: .disallowed
        default: nil
        }
    }

    private static func derived(_ scalar: Unicode.Scalar) -> DomainCharacter {
        let properties = scalar.properties
        switch scalar.value {
        case 0x2D, 0x30...0x39, 0x61...0x7A: return .valid
        case 0x200C, 0x200D: return .contextual
        // Combining marks for symbols and musical symbols (section 2.4), then old Hangul jamo (section 2.9).
        case 0x20D0...0x20FF, 0x1_D100...0x1_D1FF, 0x1_D200...0x1_D24F: return .disallowed
        case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB: return .disallowed
        default: break
        }
        // The standard's "unstable" is a change under NFKC and case folding, which this property states.
        guard !properties.changesWhenNFKCCaseFolded, !properties.isDefaultIgnorableCodePoint,
            !properties.isWhitespace, !properties.isNoncharacterCodePoint
        else { return .disallowed }
        switch properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .otherLetter, .decimalNumber, .modifierLetter, .nonspacingMark,
            .spacingMark:
            return .valid
        default:
            return .disallowed
        }
    }
}

/// The way in which a letter joins its neighbours in cursive scripts (Unicode's Joining_Type).
enum JoiningType {
    /// It joins the letter before it, as alef does.
    case right
    /// It joins the letter after it.
    case left
    /// It joins both, as beh does.
    case dual

    /// The type of a scalar; `nil` for letters that join none.
    init?(_ scalar: Unicode.Scalar) {
        var low = 0
        var high = Self.runs.count
        while low < high {
            let middle = (low + high) / 2
            if Self.runs[middle].last < scalar.value { low = middle + 1 } else { high = middle }
        }
        guard low < Self.runs.count, Self.runs[low].first <= scalar.value else { return nil }
        self = Self.runs[low].type
    }

    /// Returns whether joining goes through a scalar: marks and format controls.
    static func isTransparent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }

    private struct Run {
        var first: UInt32
        var last: UInt32
        var type: JoiningType
    }

    private static let runs: [Run] = table.split { $0 == " " || $0 == "\n" }.compactMap { entry in
        let bounds = entry.dropLast().split(separator: "-").compactMap { UInt32($0, radix: 16) }
        guard let first = bounds.first, let last = bounds.last else { return nil }
        return Run(first: first, last: last, type: entry.last == "D" ? .dual : entry.last == "R" ? .right : .left)
    }
}

/// The rule for names that hold labels written from right to left (RFC 5893, section 2).
enum DirectionRule {
    /// Returns whether all labels follow the rule; it counts for none when no label has letters from right to left.
    static func accepts(_ labels: [InternationalLabel]) -> Bool {
        let classes = labels.map { $0.scalars.map(direction) }
        guard classes.contains(where: { $0.contains { $0 == .rightToLeft || $0 == .arabicNumber } }) else {
            return true
        }
        return classes.allSatisfy(accepts)
    }

    /// The classes of the bidirectional algorithm, as far as the rule distinguishes them.
    private enum Direction {
        case leftToRight
        /// R and AL.
        case rightToLeft
        case arabicNumber
        case europeanNumber
        case mark
        case neutral
    }

    private static func accepts(_ label: [Direction]) -> Bool {
        let last = label.last { $0 != .mark }
        switch label.first {
        case .rightToLeft:
            return !label.contains(.leftToRight) && last != .neutral
                && !(label.contains(.europeanNumber) && label.contains(.arabicNumber))
        case .leftToRight:
            return !label.contains(.rightToLeft) && !label.contains(.arabicNumber) && last != .neutral
        default:
            return false
        }
    }

    /// The class of a character that is valid in labels; those of whole blocks, since other characters do not occur.
    private static func direction(_ scalar: Unicode.Scalar) -> Direction {
        switch scalar.value {
        case 0x30...0x39, 0x6F0...0x6F9: return .europeanNumber
        case 0x660...0x669, 0x1_0D30...0x1_0D39: return .arabicNumber
        case 0x2D, 0xB7, 0x375, 0x30FB, 0x200C, 0x200D, 0x2B9...0x2BA, 0x2C2...0x2CF, 0x2EC: return .neutral
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return .mark
        default: break
        }
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF:
            return .rightToLeft
        default:
            return .leftToRight
        }
    }
}
