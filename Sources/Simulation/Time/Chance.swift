import ScenarioFormat

/// The only source of chance: a stream of numbers that a seed and an exchange's number determine.
///
/// Each exchange draws from a separate random stream, so the draws of one response never affect the next one.
/// The generator is SplitMix64 (Steele, Lea and Flood, 2014).
package struct Chance: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64, stream: UInt64) {
        state = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15) ^ Self.mix(stream &+ 0xD1B5_4A32_D192_ED03)
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to and without 1, with 53 random bits.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A whole number from a range, every one equally likely.
    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        // Written out instead of Int.random(in:using:), whose algorithm may change between toolchains.
        let span = UInt64(bitPattern: Int64(range.upperBound)) &- UInt64(bitPattern: Int64(range.lowerBound))
        guard span < .max else { return Int(truncatingIfNeeded: next()) }
        let count = span + 1
        let limit = UInt64.max - (UInt64.max % count + 1) % count
        var draw = next()
        while draw > limit { draw = next() }
        return Int(truncatingIfNeeded: UInt64(bitPattern: Int64(range.lowerBound)) &+ draw % count)
    }

    package mutating func hex(digits: Int) -> String {
        var text = ""
        while text.utf8.count < digits {
            let word = String(next(), radix: 16)
            text += String(repeating: "0", count: 16 - word.utf8.count) + word
        }
        return String(text.prefix(digits))
    }

    /// A version 4 UUID (RFC 9562, section 5.4).
    package mutating func uuid() -> String {
        var digits = Array(hex(digits: 32).utf8)
        digits[12] = UInt8(ascii: "4")
        digits[16] = Array("89ab".utf8)[Int(next() & 3)]
        let text = String(decoding: digits, as: UTF8.self)
        var groups: [Substring] = []
        var rest = text[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }
}
