/// A check that bytes in pieces are UTF-8 (RFC 3629, section 4).
struct UTF8Check: Sendable, Hashable {
    /// The number of bytes that the character still needs, and the range of the next one.
    private var remaining = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// A Boolean value that indicates whether no character is cut.
    var isComplete: Bool { remaining == 0 }

    /// Returns whether what came so far can be the beginning of a text.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            for byte in bytes where !take(byte) { return false }
            return true
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        if remaining > 0 {
            guard byte >= lowest, byte <= highest else { return false }
            remaining -= 1
            lowest = 0x80
            highest = 0xBF
            return true
        }
        switch byte {
        case ..<0x80: return true
        case 0xC2...0xDF: remaining = 1
        case 0xE0...0xEF:
            remaining = 2
            if byte == 0xE0 { lowest = 0xA0 }
            // Surrogates are not characters.
            if byte == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            remaining = 3
            if byte == 0xF0 { lowest = 0x90 }
            if byte == 0xF4 { highest = 0x8F }
        default: return false
        }
        return true
    }
}
