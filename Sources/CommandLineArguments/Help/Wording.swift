/// The small change of sentences: lists, quotes and escapes.
enum Wording {
    /// `bash, zsh or fish`.
    static func list(_ words: [String], _ conjunction: String) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }

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
