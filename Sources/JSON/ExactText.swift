/// A text as a dictionary's key or a set's member, told apart from others byte by byte.
///
/// `String` itself follows canonical equivalence, for which the Kelvin sign is a K. JSON's names, URIs, and secrets
/// such as tokens do not.
package struct ExactText: Sendable, Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameUTF8(as: right.text) }

    package func hash(into hasher: inout Hasher) { text.hashUTF8(into: &hasher) }
}
