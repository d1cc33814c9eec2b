extension String {
    /// The text with everything escaped that would steer a terminal or hide: controls, line and direction marks.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isHidden) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case _ where scalar.isHidden: text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The beginning of a text that may be long.
    package var shortened: String {
        unicodeScalars.count > 60 ? String(String.UnicodeScalarView(unicodeScalars.prefix(59))) + "…" : self
    }
}

extension Unicode.Scalar {
    fileprivate var isHidden: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}

extension Sequence<String> {
    /// The words for a sentence: `a`, `a or b`, `a, b or c`.
    package func joined(lastBy word: String) -> String {
        let words = Array(self)
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) \(word) \(last)"
    }

    /// Whether the very same name is among these: Swift would take two spellings of one letter for equal.
    package func containsExactly(_ name: String) -> Bool {
        contains { $0.utf8.elementsEqual(name.utf8) }
    }
}
