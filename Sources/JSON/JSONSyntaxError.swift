package import Basics

/// Why a text is no JSON, and where.
///
/// The words are made in one place, ``sentence``.
package struct JSONSyntaxError: Error, Sendable, Hashable {
    /// An array or an object.
    package enum Container: Sendable, Hashable {
        case array
        case object
    }

    /// What the grammar allows at the place of an unexpected character.
    package enum Expectation: Sendable, Hashable {
        case value
        case name
        case colon
        case commaOrEnd(Container)
        case endOfText
    }

    /// What was found.
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
