/// Finds a property by name: an open-addressing table over a hash of the bytes.
///
/// The names are the schema's and the table is never extended, so an instance cannot make it slow.
struct PropertyIndex: Sendable {
    private struct Entry {
        var hash: UInt64
        /// Where the name's bytes are.
        var start: Int
        var count: Int
    }

    /// A property's number plus one, zero for a free slot; a power of two of them.
    private var slots: [Int32] = []
    private var entries: [Entry] = []
    /// The names one after the other.
    private var bytes: [UInt8] = []

    init() {}

    init(_ properties: [ObjectRules.Property]) {
        guard !properties.isEmpty else { return }
        var size = 4
        while size < properties.count * 2 { size *= 2 }
        slots = [Int32](repeating: 0, count: size)
        for (number, property) in properties.enumerated() {
            let name = Array(property.name.utf8)
            let hash = name.withUnsafeBytes(PropertyIndex.hash)
            entries.append(Entry(hash: hash, start: bytes.count, count: name.count))
            bytes += name
            var slot = Int(truncatingIfNeeded: hash) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(number + 1)
        }
    }

    @inline(__always)
    func number(of name: String) -> Int? {
        guard !slots.isEmpty else { return nil }
        // Only a string that came from elsewhere has no bytes of its own to look at.
        return name.utf8.withContiguousStorageIfAvailable { number(of: UnsafeRawBufferPointer($0)) }
            ?? Array(name.utf8).withUnsafeBytes { number(of: $0) }
    }

    @inline(__always)
    private func number(of name: UnsafeRawBufferPointer) -> Int? {
        let hash = PropertyIndex.hash(name)
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if entries[number].hash == hash, isEqual(name, to: entries[number]) { return number }
            slot = (slot + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private func isEqual(_ name: UnsafeRawBufferPointer, to entry: Entry) -> Bool {
        guard name.count == entry.count else { return false }
        return bytes.withUnsafeBytes { all in
            var offset = 0
            while offset + 8 <= name.count {
                let left = name.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let right = all.loadUnaligned(fromByteOffset: entry.start + offset, as: UInt64.self)
                if left != right { return false }
                offset += 8
            }
            while offset < name.count {
                if name[offset] != all[entry.start + offset] { return false }
                offset += 1
            }
            return true
        }
    }

    /// Mixes eight bytes at a time.
    @inline(__always)
    private static func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
        var value = UInt64(truncatingIfNeeded: name.count)
        var offset = 0
        while offset + 8 <= name.count {
            value = mixed(value ^ name.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < name.count {
            rest = rest << 8 | UInt64(name[offset])
            offset += 1
        }
        return mixed(value ^ rest)
    }

    @inline(__always)
    private static func mixed(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
