/// The UTF-8 encoding of one scalar, by table 3-7 of the Unicode Standard.
package enum UTF8Sequence {
    /// What is wrong with bytes that are not UTF-8.
    package enum Fault: Sendable, Hashable {
        /// A byte that only continues a character, with no character to continue.
        case strayContinuation
        /// The character's remaining bytes are missing.
        case cutShort
        /// More bytes than the scalar needs, a way to smuggle characters past checks.
        case overlong
        /// A surrogate, which belongs to UTF-16 alone.
        case surrogate
        /// A scalar above U+10FFFF.
        case beyondUnicode
        /// A byte that UTF-8 never uses.
        case impossibleByte
    }

    /// The length of the well-formed sequence at an offset, or zero when there is none.
    @inline(__always)
    static func length(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
        let lead = bytes[offset]
        let left = bytes.count - offset
        switch lead {
        case 0...0x7F:
            return 1
        case 0xC2...0xDF:
            return left > 1 && continues(bytes[offset + 1]) ? 2 : 0
        case 0xE0...0xEF:
            guard left > 2, continues(bytes[offset + 2]) else { return 0 }
            return secondRange(after: lead).contains(bytes[offset + 1]) ? 3 : 0
        case 0xF0...0xF4:
            guard left > 3, continues(bytes[offset + 2]), continues(bytes[offset + 3]) else { return 0 }
            return secondRange(after: lead).contains(bytes[offset + 1]) ? 4 : 0
        default:
            return 0
        }
    }

    @inline(__always)
    private static func continues(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// What may follow the first byte; the narrow ranges keep out overlong forms, surrogates and too large scalars.
    @inline(__always)
    private static func secondRange(after lead: UInt8) -> ClosedRange<UInt8> {
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }

    /// Says why there is no well-formed sequence at an offset.
    static func fault(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Fault {
        let lead = bytes[offset]
        switch lead {
        case 0x80...0xBF: return .strayContinuation
        case 0xC0, 0xC1: return .overlong
        case 0xF5...0xF7: return .beyondUnicode
        case 0xF8...0xFF: return .impossibleByte
        default: break
        }
        guard offset + 1 < bytes.count else { return .cutShort }
        let second = bytes[offset + 1]
        guard continues(second), !secondRange(after: lead).contains(second) else { return .cutShort }
        switch lead {
        case 0xED: return .surrogate
        case 0xF4: return .beyondUnicode
        default: return .overlong
        }
    }

    /// The scalar of the well-formed sequence at an offset, or `nil` when there is none.
    static func scalar(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Unicode.Scalar? {
        let length = length(in: bytes, at: offset)
        guard length > 0 else { return nil }
        let sequence = UnsafeBufferPointer(rebasing: bytes[offset..<offset + length])
        return String(decoding: sequence, as: UTF8.self).unicodeScalars.first
    }
}
