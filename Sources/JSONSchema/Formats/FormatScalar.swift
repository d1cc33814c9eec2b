/// Characters beyond ASCII in identifiers (RFC 3987, section 2.2).
enum FormatScalar {
    /// The scalar that the bytes begin with.
    static func first(in bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        String(decoding: bytes.prefix(4), as: UTF8.self).unicodeScalars.first
    }

    /// `ucschar`: what is neither private nor unassigned for good.
    static func isUniversal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
        case 0xE_0000...0xE_0FFF: false
        // The last two of every plane are no characters.
        case 0x1_0000...0xE_FFFD: scalar.value & 0xFFFF < 0xFFFE
        default: false
        }
    }

    /// `iprivate`, which only a query may hold.
    static func isPrivateUse(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE000...0xF8FF, 0xF_0000...0xF_FFFD, 0x10_0000...0x10_FFFD: true
        default: false
        }
    }
}
