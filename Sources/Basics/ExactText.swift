/// A text that is compared byte by byte, also as a dictionary's key or a set's member.
///
/// `String` itself follows canonical equivalence, for which "é" is the same whether composed or not and the Kelvin sign
/// is a K. JSON's names and strings (RFC 8259, section 8.3), URIs, and secrets such as tokens do not.
package struct ExactText: Sendable, Hashable, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        let (left, right) = (left.text.utf8, right.text.utf8)
        guard left.count == right.count else { return false }
        let isSame = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { left.hasSameBytes(as: $0) }
        }
        // Only a text of Objective-C is not contiguous.
        return isSame.flatMap(\.self) ?? left.elementsEqual(right)
    }

    package func hash(into hasher: inout Hasher) {
        let isFed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isFed == nil {
            var copy = text
            copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// The text, compared byte by byte.
    package var exact: ExactText { ExactText(self) }
}

extension Substring {
    /// The text, compared byte by byte.
    package var exact: ExactText { ExactText(String(self)) }
}

extension Sequence<String> {
    package func contains(_ name: ExactText) -> Bool {
        contains { $0.exact == name }
    }
}
