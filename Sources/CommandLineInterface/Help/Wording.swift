/// The small change of sentences: quotes and escapes.
enum Wording {
    /// A word of the user's, safe for a terminal and not too long for a line.
    static func quoted(_ word: String) -> String {
        word.isEmpty ? "an empty value" : "'\(escaped(word))'"
    }

    /// Control characters could move the cursor or recolour the screen, so they are spelt out.
    static func escaped(_ word: String) -> String {
        let limit = 60
        var text = ""
        for (count, scalar) in word.unicodeScalars.enumerated() {
            guard count < limit else { return text + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default:
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
