extension JSONSyntaxError {
    /// What was found and what would be right, as one sentence without a full stop.
    package var sentence: String {
        switch reason {
        case .empty:
            "the text is empty; JSON needs a value, such as {}"
        case .byteOrderMark:
            "the text begins with a byte order mark; save it as UTF-8 without one"
        case .wideEncoding:
            "the text looks like UTF-16 or UTF-32; JSON is UTF-8"
        case .invalidUTF8(let fault, let byte):
            "byte 0x\(hex(byte, digits: 2)) is not valid UTF-8: \(explanation(of: fault))"
        case .tooDeep(let limit):
            "arrays and objects are nested more than \(limit) deep, which is the limit"
        case .moreAfterValue:
            "more text after the end of the value; a JSON text is a single value"
        case .notClosed(let container, let opened):
            "the text ends here, but the \(name(container)) opened at \(opened) is not closed"
        case .wrongClosing(let container, let opened):
            "found \(container == .array ? "}" : "]") where the \(name(container)) opened at \(opened)"
                + " needs \(container == .array ? "]" : "}")"
        case .strayClosing(let byte):
            "found \(Character(Unicode.Scalar(byte))), but nothing is open here"
        case .missingComma(let container):
            "missing comma between \(parts(container)); one belongs before this"
        case .trailingComma(let container):
            "found a comma after the last \(part(container)); remove it"
        case .extraComma(let container):
            "found a comma without \(container == .array ? "an element" : "a member") before it"
        case .semicolon(let container):
            "found a semicolon; \(parts(container)) are separated by commas"
        case .colonInArray:
            "found a colon in an array; only objects, in braces, have names"
        case .missingName:
            "found a colon without a name before it"
        case .missingColon(let name):
            "missing colon and value after the name \(JSONSyntaxError.shown(name))"
        case .equalsSign(let name):
            "found an equals sign after the name \(JSONSyntaxError.shown(name)); JSON has a colon there"
        case .missingValue(let name):
            "the name \(JSONSyntaxError.shown(name)) has no value after its colon"
        case .unquotedName(let name):
            "the name \(JSONSyntaxError.shortened(name)) needs double quotes around it"
        case .nameIsNoString:
            "a member's name must be a string in double quotes"
        case .duplicateName(let name, let first):
            "the name \(JSONSyntaxError.shown(name)) is in this object already, at \(first)"
        case .stringNotClosed:
            "this string is not closed"
        case .lineBreakInString:
            "the line ends inside a string; close the string, or write a line break as \\n"
        case .controlCharacterInString(let byte):
            "found a raw \(byte == .tab ? "tab" : "control character U+\(hex(byte, digits: 4))") in a string;"
                + " write it as \(escape(byte))"
        case .unknownEscape(let scalar):
            "\(escaped(scalar)) is no escape of JSON; there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits"
        case .unfinishedUnicodeEscape:
            "\\u needs four hexadecimal digits after it"
        case .loneSurrogate(let unit):
            unit < 0xDC00
                ? "\\u\(hex(unit, digits: 4)) is the first half of a pair; its second half, \\uDC00 to \\uDFFF, is missing"
                : "\\u\(hex(unit, digits: 4)) is the second half of a pair; its first half, \\uD800 to \\uDBFF, is missing"
        case .singleQuote:
            "found a single quote; JSON strings use double quotes"
        case .curlyQuote:
            "found a curly quote; JSON strings use straight double quotes"
        case .textAfterString:
            "found text right after the end of a string; a quote inside a string is written \\\""
        case .leadingZero:
            "this number has a leading zero; JSON numbers have none"
        case .plusSign:
            "found a plus sign; JSON numbers have none in front"
        case .missingIntegerDigits:
            "this number has no digit before its point, or none at all; write 0.5, not .5"
        case .missingFractionDigits:
            "this number has no digit after its point; write 1.0 or 1"
        case .missingExponentDigits:
            "this number has no digits in its exponent; write 1e5"
        case .foreignNumber(let text):
            "\(JSONSyntaxError.shortened(text)) is not a JSON number; those are decimal, such as -12.5e3"
        case .notFinite(let word):
            "\(word) is not a JSON number; JSON has no NaN and no infinity"
        case .comment:
            "found a comment; JSON has none, a \"$comment\" member can hold the remark"
        case .misspeltWord(let word, let meant):
            "found \(JSONSyntaxError.shortened(word)); JSON writes \(meant)"
        case .unquotedText(let word):
            "found \(JSONSyntaxError.shortened(word)) without quotes; text needs double quotes around it"
        case .unexpectedCharacter(let scalar, let expected):
            "found \(shown(scalar)) where \(description(of: expected)) was expected"
        case .yaml(let fault):
            fault.sentence
        }
    }

    /// A name between quotes, with control characters escaped and its end cut off when it is long.
    static func shown(_ name: String) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(quoted: shortened(name), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count > 60 ? String(String.UnicodeScalarView(scalars.prefix(59))) + "…" : text
    }

    private func name(_ container: Container) -> String { container == .array ? "array" : "object" }
    private func part(_ container: Container) -> String { container == .array ? "element" : "member" }
    private func parts(_ container: Container) -> String { part(container) + "s" }

    private func hex(_ value: some BinaryInteger, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// The escape that stands for a control character.
    private func escape(_ byte: UInt8) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(quoted: String(Character(Unicode.Scalar(byte))), to: &bytes)
        return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }

    private func escaped(_ scalar: Unicode.Scalar) -> String {
        isVisible(scalar) ? "\\\(Character(scalar))" : "a backslash before U+\(hex(scalar.value, digits: 4))"
    }

    private func shown(_ scalar: Unicode.Scalar) -> String {
        if isVisible(scalar) { return String(Character(scalar)) }
        if scalar.properties.isWhitespace { return "U+\(hex(scalar.value, digits: 4)), no white space of JSON," }
        return "the invisible character U+\(hex(scalar.value, digits: 4))"
    }

    private func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: false
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: false
        case .nonspacingMark, .enclosingMark, .spacingMark: false
        default: true
        }
    }

    private func description(of expectation: Expectation) -> String {
        switch expectation {
        case .value: "a value"
        case .name: "a name in double quotes"
        case .colon: "a colon"
        case .commaOrEnd(.array): "a comma or ]"
        case .commaOrEnd(.object): "a comma or }"
        case .endOfText: "the end of the text"
        }
    }

    private func explanation(of fault: UTF8Sequence.Fault) -> String {
        switch fault {
        case .strayContinuation: "it continues a character, but none has begun"
        case .cutShort: "the character that it begins is not complete"
        case .overlong: "it begins a character in more bytes than allowed"
        case .surrogate: "it begins a surrogate, which only UTF-16 uses"
        case .beyondUnicode: "it begins a character beyond U+10FFFF"
        case .impossibleByte: "no character contains it"
        }
    }
}
