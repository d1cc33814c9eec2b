extension PatternParser {
    /// Reads the braces of `\p{…}`.
    mutating func property(at start: Int) throws(ECMAPatternError) -> ScalarSet {
        guard take("{") else {
            throw ECMAPatternError("`\\p` is followed by a property in braces, as in `\\p{Letter}`", at: start)
        }
        let name = propertyWord()
        let value = take("=") ? propertyWord() : nil
        guard take("}") else {
            throw ECMAPatternError("the property that begins here is not closed by `}`", at: start)
        }
        guard let set = UnicodeProperty.set(name: name, value: value) else {
            let text = value.map { "\(name)=\($0)" } ?? name
            throw ECMAPatternError("ECMAScript knows no Unicode property `\(text)`", at: start)
        }
        return set
    }

    private mutating func propertyWord() -> String {
        var word = ""
        while let scalar = next, scalar.isASCII, ScalarSet.wordCharacters.contains(scalar.value) {
            word.unicodeScalars.append(scalar)
            position += 1
        }
        return word
    }
}
