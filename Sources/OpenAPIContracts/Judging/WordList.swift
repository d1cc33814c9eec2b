extension Sequence<String> {
    /// The words for a sentence: `a`, `a or b`, `a, b or c`.
    func joined(lastBy word: String) -> String {
        let words = Array(self)
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) \(word) \(last)"
    }
}
