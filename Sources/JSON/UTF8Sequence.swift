import Basics

/// The UTF-8 encoding of one scalar, by table 3-7 of the Unicode Standard.
package enum UTF8Sequence {
    /// The fault of bytes that are not UTF-8.
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

    /// The length of the well-formed sequence at an offset, or zero for other bytes.
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

    /// The allowed second bytes; the narrow ranges exclude overlong forms, surrogates and too large scalars.
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

    /// The scalar of the well-formed sequence at an offset, or `nil` for other bytes.
    static func scalar(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Unicode.Scalar? {
        let length = length(in: bytes, at: offset)
        guard length > 0 else { return nil }
        let sequence = UnsafeBufferPointer(rebasing: bytes[offset..<offset + length])
        return String(decoding: sequence, as: UTF8.self).unicodeScalars.first
    }
}

// The characters that JSON's grammar names, so that it reads as grammar and not as numbers.

extension UInt8 {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let slash = UInt8(ascii: "/")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let minus = UInt8(ascii: "-")
    static let plus = UInt8(ascii: "+")
    static let point = UInt8(ascii: ".")
    static let zero = UInt8(ascii: "0")
    static let lowerE = UInt8(ascii: "e")
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let tab: UInt8 = 0x09

    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }

    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// A Boolean value that indicates whether a word such as `true` or `undefined` can continue with this byte.
    var isWordPart: Bool { isLetter || isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") }

    /// A Boolean value that indicates whether a number can continue with this byte, also one that JSON does not allow:
    /// `0x1F`, `1_000`, `1.2.3`.
    var isNumberPart: Bool { isWordPart || self == .point || self == .plus || self == .minus }

    /// The value of a hexadecimal digit.
    @inline(__always)
    var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
