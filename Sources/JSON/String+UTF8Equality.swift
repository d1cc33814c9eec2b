import Basics

extension String {
    /// Whether both strings hold the same scalars.
    ///
    /// `==` follows canonical equivalence, for which "é" is the same whether composed or not. JSON compares names and
    /// strings scalar by scalar (RFC 8259, section 8.3), and equal scalars are equal UTF-8 bytes.
    package func hasSameUTF8(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (left, right) = (self, other)
        return left.withUTF8 { left in right.withUTF8 { left.hasSameBytes(as: $0) } }
    }

    /// Feeds the UTF-8 bytes and an end mark, in keeping with ``hasSameUTF8(as:)``.
    package func hashUTF8(into hasher: inout Hasher) {
        var copy = self
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
