import Basics

/// A hash that is the same in every run and on every machine, unlike Swift's own (FNV-1a with 64 bits).
package struct StableHash: Sendable, Hashable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of one text, or of none yet.
    package init(_ text: String = "") {
        for byte in text.utf8 { add(byte) }
    }

    /// Adds a text and an end mark, a byte that no text has, so that two texts do not run into each other.
    package mutating func combine(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}
