import JSONText

/// A name as a dictionary's key, told apart from others byte by byte, as JSON and URIs do.
struct ExactName: Sendable, Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactName, right: ExactName) -> Bool { left.text.hasSameUTF8(as: right.text) }

    func hash(into hasher: inout Hasher) { text.hashUTF8(into: &hasher) }
}
