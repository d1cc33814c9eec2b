extension PatternParser {
    /// Reads an escape outside of a class.
    mutating func escape() throws(ECMAPatternError) -> PatternNode {
        let start = position
        position += 1
        if let first = next, ("1"..."9").contains(first), let number = number() {
            return backreference(to: .number(number), at: start)
        }
        if take("k") {
            guard take("<") else {
                throw ECMAPatternError("`\\k` must be followed by a group name, as in `\\k<year>`", at: start)
            }
            return backreference(to: .name(try groupName()), at: start)
        }
        if let set = try setEscape(at: start) { return .member(modifiers.widened(set)) }
        return .member(modifiers.widened(ScalarSet(try characterEscape(at: start))))
    }

    private mutating func backreference(to reference: PatternNode.Reference, at offset: Int) -> PatternNode {
        references.append((reference, offset))
        return .backreference(to: reference, ignoringCase: modifiers.ignoresCase)
    }

    /// Reads what follows the backslash of an escape that means many characters, if it is one.
    mutating func setEscape(at start: Int) throws(ECMAPatternError) -> ScalarSet? {
        let words = modifiers.ignoresCase ? ScalarSet.wordCharactersInAnyCase : .wordCharacters
        let set: ScalarSet
        switch next {
        case "d": set = .digits
        case "D": set = ScalarSet.digits.complement
        case "w": set = words
        case "W": set = words.complement
        case "s": set = .whitespace
        case "S": set = ScalarSet.whitespace.complement
        case "p", "P":
            let negated = next == "P"
            position += 1
            let property = try property(at: start)
            return negated ? property.complement : property
        default: return nil
        }
        position += 1
        return set
    }

    /// Reads what follows the backslash of an escape that means one character.
    mutating func characterEscape(at start: Int) throws(ECMAPatternError) -> UInt32 {
        guard let letter = next else {
            throw ECMAPatternError("the expression ends within an escape; a backslash is written `\\\\`", at: start)
        }
        position += 1
        switch letter {
        case "f": return 0x0C
        case "n": return 0x0A
        case "r": return 0x0D
        case "t": return 0x09
        case "v": return 0x0B
        case "0":
            if let digit = next, ("0"..."9").contains(digit) { throw octal(at: start) }
            return 0
        case "c":
            guard let control = next, control.isASCII, control.properties.isAlphabetic else {
                throw ECMAPatternError("`\\c` must be followed by a letter from A to Z", at: start)
            }
            position += 1
            return control.value % 32
        case "x":
            guard let value = hexadecimal(digits: 2) else {
                throw ECMAPatternError("`\\x` must be followed by two hexadecimal digits", at: start)
            }
            return value
        case "u":
            guard let value = try unicodeEscape(at: start) else {
                throw ECMAPatternError(
                    "`\\u` must be followed by four hexadecimal digits, or by digits in braces",
                    at: start
                )
            }
            return value
        case "1"..."9":
            throw octal(at: start)
        default:
            guard !letter.properties.isAlphabetic else {
                throw ECMAPatternError("`\\\(letter)` has no meaning in ECMAScript", at: start)
            }
            return letter.value
        }
    }

    private func octal(at start: Int) -> ECMAPatternError {
        ECMAPatternError("octal escapes are not supported; `\\x` is followed by hexadecimal digits", at: start)
    }

    /// Reads what follows `\u`: four digits, two times four that are surrogates of each other, or digits in braces.
    mutating func unicodeEscape(at start: Int) throws(ECMAPatternError) -> UInt32? {
        if take("{") {
            var value: UInt32 = 0
            var digits = 0
            while let digit = next?.hexadecimalValue {
                value = min(value << 4 | digit, 0x110000)
                digits += 1
                position += 1
            }
            guard digits > 0, take("}") else { return nil }
            guard value <= 0x10FFFF else {
                throw ECMAPatternError("the number is greater than U+10FFFF, the last Unicode code point", at: start)
            }
            return value
        }
        guard let lead = hexadecimal(digits: 4) else { return nil }
        let afterLead = position
        if (0xD800...0xDBFF).contains(lead), take("\\u") {
            if let trail = hexadecimal(digits: 4), (0xDC00...0xDFFF).contains(trail) {
                return 0x10000 + (lead - 0xD800) << 10 + (trail - 0xDC00)
            }
            position = afterLead
        }
        return lead
    }
}
