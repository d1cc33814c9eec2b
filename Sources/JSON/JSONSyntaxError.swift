package import Basics

/// The reason why a text is not valid JSON, with its place.
///
/// The words are made in one place, ``sentence``.
package struct JSONSyntaxError: Error, Sendable, Hashable {
    /// An array or an object.
    package enum Container: Sendable, Hashable {
        case array
        case object
    }

    /// The text that the grammar allows in place of an unexpected character.
    package enum Expectation: Sendable, Hashable {
        case value
        case name
        case colon
        case commaOrEnd(Container)
        case endOfText
    }

    /// The finding.
    package enum Reason: Sendable, Hashable {
        // The text as a whole.
        case empty
        case byteOrderMark
        /// The text is in an encoding of 16 or 32 bits.
        case wideEncoding
        case invalidUTF8(UTF8Sequence.Fault, byte: UInt8)
        case tooDeep(limit: Int)
        case moreAfterValue

        // Arrays and objects.
        case notClosed(Container, opened: JSONPosition)
        case wrongClosing(Container, opened: JSONPosition)
        case strayClosing(UInt8)
        case missingComma(Container)
        case trailingComma(Container)
        case extraComma(Container)
        case semicolon(Container)
        case colonInArray
        case missingName
        case missingColon(name: String)
        case equalsSign(name: String)
        case missingValue(name: String)
        case unquotedName(String)
        case nameIsNoString
        case duplicateName(String, first: JSONPosition)

        // Strings.
        case stringNotClosed
        case lineBreakInString
        case controlCharacterInString(UInt8)
        case unknownEscape(Unicode.Scalar)
        case unfinishedUnicodeEscape
        case loneSurrogate(UInt16)
        case singleQuote
        case curlyQuote
        case textAfterString

        // Numbers.
        case leadingZero
        case plusSign
        case missingIntegerDigits
        case missingFractionDigits
        case missingExponentDigits
        case foreignNumber(String)
        case notFinite(String)

        // Everything else.
        case comment
        case misspeltWord(String, meant: String)
        case unquotedText(String)
        case unexpectedCharacter(Unicode.Scalar, expected: Expectation)

        // What only YAML has.
        case yaml(YAMLFault)
    }

    package var reason: Reason
    package var position: JSONPosition
    /// The same place, counted in bytes from zero.
    package var offset: Int

    package init(_ reason: Reason, at position: JSONPosition, offset: Int) {
        self.reason = reason
        self.position = position
        self.offset = offset
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    package var description: String { "\(position): \(sentence)" }
}

extension JSONSyntaxError {
    /// The finding for a file that is not valid JSON, or not valid YAML as its name says.
    package func finding(in file: String? = nil) -> Finding {
        let isYAML = file.map { TextFormat(ofFile: $0) == .yaml } ?? false
        return Finding(
            .error,
            id: isYAML ? "yaml/syntax" : "json/syntax",
            sentence,
            at: Place(file: file, position: position.text)
        )
    }
}

extension JSONSyntaxError {
    /// The finding and what was expected, as one sentence without a full stop.
    package var sentence: String {
        switch reason {
        case .empty:
            "the text is empty; JSON requires a value, such as {}"
        case .byteOrderMark:
            "the text begins with a byte order mark; save the text as UTF-8 without the mark"
        case .wideEncoding:
            "the text looks like UTF-16 or UTF-32; JSON requires UTF-8"
        case .invalidUTF8(let fault, let byte):
            "byte 0x\(hex(byte, digits: 2)) is not valid UTF-8: \(explanation(of: fault))"
        case .tooDeep(let limit):
            "arrays and objects are nested deeper than the limit of \(limit) levels"
        case .moreAfterValue:
            "found text after the end of the value; a JSON text is a single value"
        case .notClosed(let container, let opened):
            "the text ends here, but the \(name(container)) opened at \(opened) is not closed"
        case .wrongClosing(let container, let opened):
            "found \(container == .array ? "}" : "]") where the \(name(container)) opened at \(opened)"
                + " needs \(container == .array ? "]" : "}")"
        case .strayClosing(let byte):
            "found \(Character(Unicode.Scalar(byte))), but no array or object is open here"
        case .missingComma(let container):
            "missing comma between \(parts(container)); insert a comma here"
        case .trailingComma(let container):
            "found a comma after the last \(part(container)); remove the comma"
        case .extraComma(let container):
            "found a comma without \(container == .array ? "an element" : "a member") before it"
        case .semicolon(let container):
            "found a semicolon; \(parts(container)) are separated by commas"
        case .colonInArray:
            "found a colon in an array; only objects, which use braces, contain names"
        case .missingName:
            "found a colon without a name before it"
        case .missingColon(let name):
            "missing colon and value after the name \(JSONSyntaxError.shown(name))"
        case .equalsSign(let name):
            "found an equals sign after the name \(JSONSyntaxError.shown(name)); JSON requires a colon"
        case .missingValue(let name):
            "the name \(JSONSyntaxError.shown(name)) has no value after its colon"
        case .unquotedName(let name):
            "the name \(name.shortened) requires double quotes"
        case .nameIsNoString:
            "a member's name must be a string in double quotes"
        case .duplicateName(let name, let first):
            "this object already contains the name \(JSONSyntaxError.shown(name)), at \(first)"
        case .stringNotClosed:
            "this string is not closed"
        case .lineBreakInString:
            "the line ends inside a string; close the string, or write a line break as \\n"
        case .controlCharacterInString(let byte):
            "found a raw \(byte == .tab ? "tab" : "control character U+\(hex(byte, digits: 4))") in a string;"
                + " write it as \(escape(byte))"
        case .unknownEscape(let scalar):
            "\(escaped(scalar)) is not a JSON escape; use \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits"
        case .unfinishedUnicodeEscape:
            "\\u requires four hexadecimal digits"
        case .loneSurrogate(let unit):
            unit < 0xDC00
                ? "\\u\(hex(unit, digits: 4)) is the first half of a pair; its second half, \\uDC00 to \\uDFFF, is missing"
                : "\\u\(hex(unit, digits: 4)) is the second half of a pair; its first half, \\uD800 to \\uDBFF, is missing"
        case .singleQuote:
            "found a single quote; JSON strings use double quotes"
        case .curlyQuote:
            "found a curly quote; JSON strings use straight double quotes"
        case .textAfterString:
            "found text right after the end of a string; write a quote inside a string as \\\""
        case .leadingZero:
            "this number has a leading zero, which JSON does not allow"
        case .plusSign:
            "found a plus sign, which JSON does not allow in front of a number"
        case .missingIntegerDigits:
            "this number has no digit before its decimal point, or no digits at all; write 0.5, not .5"
        case .missingFractionDigits:
            "this number has no digit after its decimal point; write 1.0 or 1"
        case .missingExponentDigits:
            "this number has no digits in its exponent; write 1e5, not 1e"
        case .foreignNumber(let text):
            "\(text.shortened) is not a JSON number; JSON numbers are decimal, such as -12.5e3"
        case .notFinite(let word):
            "\(word) is not a JSON number; JSON supports neither NaN nor infinity"
        case .comment:
            "found a comment, which JSON does not support; use a \"$comment\" member"
        case .misspeltWord(let word, let meant):
            "found \(word.shortened); JSON writes \(meant)"
        case .unquotedText(let word):
            "found \(word.shortened) without quotes; text requires double quotes"
        case .unexpectedCharacter(let scalar, let expected):
            "found \(shown(scalar)) where \(description(of: expected)) was expected"
        case .yaml(let fault):
            fault.sentence
        }
    }

    /// A name between quotes, with control characters escaped and its end cut off when it is long.
    static func shown(_ name: String) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(quoted: name.shortened, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func name(_ container: Container) -> String { container == .array ? "array" : "object" }
    private func part(_ container: Container) -> String { container == .array ? "element" : "member" }
    private func parts(_ container: Container) -> String { part(container) + "s" }

    private func hex(_ value: some BinaryInteger, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// The escape of a control character.
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
        if scalar.properties.isWhitespace { return "U+\(hex(scalar.value, digits: 4)), which is not JSON whitespace," }
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
        case .strayContinuation: "the byte continues a character that has not started"
        case .cutShort: "the character that the byte begins is not complete"
        case .overlong: "the byte begins a character that is encoded in too many bytes"
        case .surrogate: "the byte begins a surrogate, which only UTF-16 uses"
        case .beyondUnicode: "the byte begins a character beyond U+10FFFF"
        case .impossibleByte: "no UTF-8 character contains this byte"
        }
    }
}

/// Which files are read as what.
package enum TextFormat: Sendable, Hashable {
    case json
    case yaml

    /// The format by the extension of a file's name, in any case: YAML for `.yaml` and `.yml`, otherwise JSON.
    package init(ofFile path: String) {
        self = ["yaml", "yml"].contains(FilePath.fileExtension(of: path)) ? .yaml : .json
    }

    /// Its name in a sentence.
    package var name: String { self == .json ? "JSON" : "YAML" }

    /// The extension of new files, without the dot.
    package var ending: String { self == .json ? "json" : "yaml" }

    /// Returns whether a file's name says that it holds a document: it ends with `.json`, `.yaml` or `.yml`.
    package static func isDocument(_ path: String) -> Bool {
        endings.contains(FilePath.fileExtension(of: path))
    }

    /// The endings of documents, in lower case.
    package static let endings = ["json", "yaml", "yml"]

    /// Returns the position of the first line of YAML: `---`, `%YAML`, `key: …` or `- …`.
    package static func yamlStart(_ bytes: [UInt8]) -> TextPosition? {
        let lines = bytes.prefix(64 * 1024).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let text = line.drop { $0 == 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
            guard let first = text.first, first != UInt8(ascii: "#"), first != 0x0D else { continue }
            guard isYAML(text) else { return nil }
            return TextPosition(line: number + 1, column: 1)
        }
        return nil
    }

    private static func isYAML(_ line: ArraySlice<UInt8>) -> Bool {
        if line.starts(with: "---".utf8) || line.starts(with: "%YAML".utf8) { return true }
        let key = line.prefix { $0 != UInt8(ascii: ":") }
        let isWord = key.allSatisfy {
            ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "_-'.\"".utf8.contains($0)
        }
        guard !key.isEmpty, isWord, key.count < line.count, key.first != UInt8(ascii: "\"") else { return false }
        let next = line.dropFirst(key.count + 1).first
        return next == nil || next == 0x20 || next == 0x0D
    }
}

extension JSONParser {
    /// Reads a file's text as what its name says that it is; see ``TextFormat/init(ofFile:)``.
    package func parse(_ bytes: [UInt8], ofFile path: String) throws(JSONSyntaxError) -> JSONDocument {
        switch TextFormat(ofFile: path) {
        case .json: try parse(bytes)
        case .yaml: try parseYAML(bytes)
        }
    }

    /// Reads a text that holds one document of YAML 1.2, by the core schema.
    ///
    /// The values are those of JSON: other values are refused, and so is any text that YAML 1.1 reads
    /// differently or readers have to guess. A member's name is the text as it is written, so `200:` is "200".
    ///
    /// - Complexity: O(*n*) for *n* bytes, also for texts made to be slow.
    package func parseYAML(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
            var reader = YAMLReader(buffer, as: self)
            return try reader.readDocument()
        }
    }

    /// Reads all documents of a YAML text, of which files of a project hold one only.
    package func parseYAMLStream(_ bytes: [UInt8]) throws(JSONSyntaxError) -> [JSONDocument] {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
            var reader = YAMLReader(buffer, as: self)
            return try reader.readStream()
        }
    }
}
