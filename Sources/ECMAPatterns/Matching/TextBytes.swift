/// The UTF-8 of a text, read in either direction.
///
/// Positions are offsets of bytes at which a scalar begins.
struct TextBytes {
    let bytes: UnsafeBufferPointer<UInt8>

    var count: Int { bytes.count }

    /// The scalar that begins at a position below `count`, and where the next one does.
    @inline(__always)
    func scalar(at position: Int) -> (value: UInt32, next: Int) {
        let lead = UInt32(bytes[position])
        if lead < 0x80 { return (lead, position + 1) }
        if lead < 0xE0 { return ((lead & 0x1F) << 6 | trail(position + 1), position + 2) }
        if lead < 0xF0 {
            return ((lead & 0x0F) << 12 | trail(position + 1) << 6 | trail(position + 2), position + 3)
        }
        let high = (lead & 0x07) << 18 | trail(position + 1) << 12
        return (high | trail(position + 2) << 6 | trail(position + 3), position + 4)
    }

    /// The scalar that ends at a position above 0, and where it begins.
    func scalar(before position: Int) -> (value: UInt32, start: Int) {
        var start = position - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return (scalar(at: start).value, start)
    }

    @inline(__always)
    private func trail(_ position: Int) -> UInt32 { UInt32(bytes[position]) & 0x3F }
}
