import JSONText

/// Finds a property by name: an open-addressing table over a hash of the bytes.
///
/// The names are the schema's and the table is never extended, so an instance cannot make it slow.
struct PropertyIndex: Sendable {
    /// A property's number plus one, zero for a free slot; a power of two of them.
    private var slots: [Int32] = []

    init() {}

    init(_ properties: [ObjectRules.Property]) {
        var size = 4
        while size < properties.count * 2 { size *= 2 }
        slots = [Int32](repeating: 0, count: size)
        for (number, property) in properties.enumerated() {
            var slot = PropertyIndex.hash(property.name) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(number + 1)
        }
    }

    @inline(__always)
    func number(of name: String, in properties: [ObjectRules.Property]) -> Int? {
        guard !properties.isEmpty else { return nil }
        let mask = slots.count - 1
        var slot = PropertyIndex.hash(name) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if properties[number].name.hasSameUTF8(as: name) { return number }
            slot = (slot + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private static func hash(_ name: String) -> Int {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: value ^ (value >> 32))
    }
}
