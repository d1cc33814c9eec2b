import Basics

// Finds the most helpful reason for a text that the grammar does not allow. Nothing here runs for a valid text.

extension JSONReader {
    /// Refuses what is not UTF-8 from its first bytes on, for which any other error would be a riddle.
    func refuseOtherEncodings() throws(JSONSyntaxError) {
        guard bytes.count > 1 else { return }
        let isWide =
            switch (bytes[0], bytes[1]) {
            case (0xFF, 0xFE), (0xFE, 0xFF), (0, _), (_, 0): true
            default: false
            }
        if isWide { throw error(.wideEncoding, at: 0) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw error(.byteOrderMark, at: 0) }
    }

    /// Returns the error for unexpected text at `offset`.
    ///
    /// - Parameter name: the name after which a colon was expected.
    func diagnosis(_ expected: JSONSyntaxError.Expectation, after name: String = "") -> JSONSyntaxError {
        guard offset < bytes.count else {
            if let innermost { return error(.notClosed(innermost.container, opened: innermost.opened), at: offset) }
            return error(.empty, at: offset)
        }
        guard let scalar = UTF8Sequence.scalar(in: bytes, at: offset) else {
            return error(.invalidUTF8(UTF8Sequence.fault(in: bytes, at: offset), byte: bytes[offset]), at: offset)
        }
        if beginsComment { return error(.comment, at: offset) }
        let special =
            switch expected {
            case .value: diagnosisOfValue(scalar)
            case .name: diagnosisOfName(scalar)
            case .colon: diagnosisOfColon(scalar, name: name)
            case .commaOrEnd(let container): diagnosisOfSeparator(scalar, in: container)
            case .endOfText: diagnosisOfEnd()
            }
        return special ?? error(.unexpectedCharacter(scalar, expected: expected), at: offset)
    }

    // MARK: By what was expected

    private func diagnosisOfValue(_ scalar: Unicode.Scalar) -> JSONSyntaxError? {
        let before = significantByteBefore
        switch bytes[offset] {
        case .comma, .closeBrace, .closeBracket:
            return diagnosisOfMissingValue(after: before)
        case .colon:
            return before?.byte == .openBracket || before?.byte == .comma ? error(.colonInArray, at: offset) : nil
        case .plus:
            return error(.plusSign, at: offset)
        case .point where offset + 1 < bytes.count && bytes[offset + 1].isDigit:
            return error(.missingIntegerDigits, at: offset)
        case let byte where byte.isWordPart:
            return error(reason(for: word(from: offset)), at: offset)
        default:
            return diagnosisOfQuote(scalar)
        }
    }

    /// A comma or a closing bracket where a value should be.
    private func diagnosisOfMissingValue(after before: (byte: UInt8, offset: Int)?) -> JSONSyntaxError {
        let byte = bytes[offset]
        guard let innermost else {
            if byte == .comma { return error(.unexpectedCharacter(",", expected: .value), at: offset) }
            return error(.strayClosing(byte), at: offset)
        }
        switch innermost.container {
        case .object:
            return error(.missingValue(name: awaitingName), at: offset)
        case .array:
            if byte == .comma { return error(.extraComma(.array), at: offset) }
            if byte == .closeBrace { return error(.wrongClosing(.array, opened: innermost.opened), at: offset) }
            return error(.trailingComma(.array), at: before?.offset ?? offset)
        }
    }

    private func diagnosisOfName(_ scalar: Unicode.Scalar) -> JSONSyntaxError? {
        switch bytes[offset] {
        case .closeBrace:
            return error(.trailingComma(.object), at: significantByteBefore?.offset ?? offset)
        case .comma:
            return error(.extraComma(.object), at: offset)
        case .colon:
            return error(.missingName, at: offset)
        case .closeBracket:
            return innermost.map { error(.wrongClosing(.object, opened: $0.opened), at: offset) }
        case .minus, .openBrace, .openBracket, 0x30...0x39:
            return error(.nameIsNoString, at: offset)
        case let byte where byte.isWordPart:
            return error(.unquotedName(word(from: offset)), at: offset)
        default:
            return diagnosisOfQuote(scalar)
        }
    }

    private func diagnosisOfColon(_ scalar: Unicode.Scalar, name: String) -> JSONSyntaxError? {
        switch bytes[offset] {
        case UInt8(ascii: "="): error(.equalsSign(name: name), at: offset)
        case let byte where touchesString(byte): error(.textAfterString, at: offset)
        case .comma, .closeBrace, .closeBracket: error(.missingColon(name: name), at: offset)
        case _ where beginsValue: error(.missingColon(name: name), at: offset)
        default: nil
        }
    }

    private func diagnosisOfSeparator(
        _ scalar: Unicode.Scalar,
        in container: JSONSyntaxError.Container
    ) -> JSONSyntaxError? {
        switch bytes[offset] {
        case UInt8(ascii: ";"):
            return error(.semicolon(container), at: offset)
        case .colon where container == .array:
            return error(.colonInArray, at: offset)
        case .closeBrace, .closeBracket:
            return innermost.map { error(.wrongClosing(container, opened: $0.opened), at: offset) }
        case let byte where touchesString(byte):
            return error(.textAfterString, at: offset)
        case _ where beginsValue:
            return error(.missingComma(container), at: offset)
        default:
            return diagnosisOfQuote(scalar)
        }
    }

    private func diagnosisOfEnd() -> JSONSyntaxError {
        let byte = bytes[offset]
        if byte == .closeBrace || byte == .closeBracket { return error(.strayClosing(byte), at: offset) }
        return error(touchesString(byte) ? .textAfterString : .moreAfterValue, at: offset)
    }

    private func diagnosisOfQuote(_ scalar: Unicode.Scalar) -> JSONSyntaxError? {
        switch scalar {
        case "'", "`": error(.singleQuote, at: offset)
        case "\u{2018}"..."\u{201F}", "«", "»": error(.curlyQuote, at: offset)
        default: nil
        }
    }

    // MARK: Words and numbers

    /// Says what is wrong with the number at `offset`.
    func numberDiagnosis(_ fault: (reason: JSONSyntaxError.Reason, offset: Int)) -> JSONSyntaxError {
        if fault.reason == .missingIntegerDigits {
            let word = word(from: offset + 1)
            if JSONReader.isNotFinite(word) { return error(.notFinite("-" + word), at: offset) }
        }
        return error(fault.reason, at: fault.offset)
    }

    /// The number of another language that begins at `offset` with a number of JSON.
    func foreignNumber() -> JSONSyntaxError {
        var end = offset
        while end < bytes.count, bytes[end].isNumberPart { end += 1 }
        return error(.foreignNumber(text(offset..<end)), at: offset)
    }

    private func reason(for word: String) -> JSONSyntaxError.Reason {
        if JSONReader.isNotFinite(word) { return .notFinite(word) }
        switch word.lowercased() {
        case "none", "nil", "undefined": return .misspeltWord(word, meant: "null")
        case "yes", "on": return .misspeltWord(word, meant: "true")
        case "no", "off": return .misspeltWord(word, meant: "false")
        default: break
        }
        let meant = Suggestion.nearest(to: word, among: ["true", "false", "null"])
        return meant.map { .misspeltWord(word, meant: $0) } ?? .unquotedText(word)
    }

    private static func isNotFinite(_ word: String) -> Bool {
        ["nan", "inf", "infinity"].contains(word.lowercased())
    }

    private func word(from start: Int) -> String {
        var end = start
        while end < bytes.count, bytes[end].isWordPart { end += 1 }
        return text(start..<end)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    // MARK: Surroundings

    private var beginsComment: Bool {
        switch bytes[offset] {
        case UInt8(ascii: "#"): true
        case .slash: offset + 1 < bytes.count && (bytes[offset + 1] == .slash || bytes[offset + 1] == UInt8(ascii: "*"))
        default: false
        }
    }

    private var beginsValue: Bool {
        switch bytes[offset] {
        case .quote, .openBrace, .openBracket, .minus: true
        default: bytes[offset].isWordPart
        }
    }

    /// Returns whether text continues right after a string's closing quote, which is then mostly meant to be part of it.
    private func touchesString(_ byte: UInt8) -> Bool {
        byte.isWordPart && offset > 0 && bytes[offset - 1] == .quote
    }

    /// The last byte before `offset` that is not white space.
    private var significantByteBefore: (byte: UInt8, offset: Int)? {
        var before = offset - 1
        while before >= 0, [.space, .tab, .lineFeed, .carriageReturn].contains(bytes[before]) { before -= 1 }
        return before < 0 ? nil : (bytes[before], before)
    }
}
