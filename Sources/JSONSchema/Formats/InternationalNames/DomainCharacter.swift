/// What a character may do in a label, derived from its Unicode properties by RFC 5892, section 3.
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
