package import JSON
package import ScenarioFormat

extension Placeholder.Conversion {
    /// The value turned into the kind; `nil` for one that cannot be.
    package func value(of value: JSONValue) -> JSONValue? {
        switch (self, value.content) {
        case (.number, .number), (.text, .string), (.boolean, .bool): value
        case (.number, .string(let text)): JSONNumber(text).map(JSONValue.number)
        case (.text, .number(let number)): .string(number.text)
        case (.text, .bool(let flag)): .string(flag ? "true" : "false")
        case (.boolean, .string(let text)) where text.hasSameUTF8(as: "true"): true
        case (.boolean, .string(let text)) where text.hasSameUTF8(as: "false"): false
        case (.words(let prefix), .string(let text)): .array(Self.words(after: prefix, in: text))
        default: nil
        }
    }

    /// What follows each prefix, up to white space or the next prefix; a prefix that nothing follows counts for none.
    private static func words(after prefix: String, in text: String) -> [JSONValue] {
        let (scalars, mark) = (Array(text.unicodeScalars), Array(prefix.unicodeScalars))
        guard !mark.isEmpty else { return [] }
        var words: [JSONValue] = []
        var word: String.UnicodeScalarView?
        var position = 0
        func finish() {
            if let word, !word.isEmpty { words.append(.string(String(word))) }
        }
        while position < scalars.count {
            if scalars[position...].starts(with: mark) {
                finish()
                word = String.UnicodeScalarView()
                position += mark.count
                continue
            }
            if scalars[position].properties.isWhitespace {
                finish()
                word = nil
            } else {
                word?.append(scalars[position])
            }
            position += 1
        }
        finish()
        return words
    }
}
