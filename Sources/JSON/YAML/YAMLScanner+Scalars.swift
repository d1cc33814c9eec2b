extension YAMLScanner {
    /// Reads plain or quoted text, up to behind its last character.
    ///
    /// - Parameters:
    ///   - leastIndent: what further lines of it have to be indented by.
    ///   - opening: the offset of the flow collection that it is in, where brackets, braces and commas end plain text;
    ///     `nil` in block style.
    ///   - isOneLine: whether plain text ends with its line, as a name does.
    mutating func readFlowScalar(
        leastIndent: Int,
        within opening: Int? = nil,
        isOneLine: Bool = false
    ) throws(JSONSyntaxError) -> YAMLScalar {
        let start = offset
        let position = position(of: start)
        let text: String
        switch bytes[start] {
        case .quote:
            text = try readQuoted(leastIndent, quote: .quote)
            try allowUnprintable(in: start..<offset)
        case UInt8(ascii: "'"):
            text = try readQuoted(leastIndent, quote: UInt8(ascii: "'"))
            try allowUnprintable(in: start..<offset)
        default:
            try checkPlainStart(opening != nil)
            text = try readPlain(leastIndent, within: opening, isOneLine: isOneLine)
            return YAMLScalar(text: text, isPlain: true, position: position, offset: start)
        }
        return YAMLScalar(text: text, isPlain: false, position: position, offset: start)
    }

    // MARK: Plain text

    /// Refuses an indicator as the first character (YAML 1.2.2, section 7.3.3).
    private func checkPlainStart(_ inFlow: Bool) throws(JSONSyntaxError) {
        let byte = bytes[offset]
        switch byte {
        case .minus, UInt8(ascii: "?"), .colon:
            guard isBlank(at: offset + 1) || inFlow && bytes[offset + 1].isFlowIndicator else { return }
            guard byte == .minus else { throw error(.yaml(.reservedStart(Unicode.Scalar(byte))), at: offset) }
            throw error(.yaml(.entryInFlow), at: offset)
        case .closeBracket, .closeBrace:
            throw error(.strayClosing(byte), at: offset)
        case UInt8(ascii: "#"):
            throw error(.yaml(.commentWithoutSpace), at: offset)
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            throw error(.yaml(.blockScalarInFlow), at: offset)
        case .comma, UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"):
            throw error(.yaml(.reservedStart(Unicode.Scalar(byte))), at: offset)
        default:
            return
        }
    }

    private mutating func readPlain(
        _ leastIndent: Int,
        within opening: Int?,
        isOneLine: Bool
    ) throws(JSONSyntaxError) -> String {
        let start = offset
        let inFlow = opening != nil
        var end = endOfPlainLine(inFlow)
        guard !isOneLine, isBreak(at: offset) else {
            offset = end
            return text(start..<end)
        }
        var isFolded = false
        var line = lineStart
        let isAlone = bytes[line..<start].allSatisfy { $0 == .space || $0 == .minus }
        while isBreak(at: offset) {
            let fold = crossLines()
            let goesOn = !fold.isEnd && bytes[offset] != UInt8(ascii: "#") && !(inFlow && endsPlainInFlow)
            guard goesOn else { break }
            guard spaces >= leastIndent else {
                // In block style a line with less indentation is what comes next.
                guard let opening else { break }
                throw continuationError(leastIndent, of: opening)
            }
            let next = offset
            let nextEnd = endOfPlainLine(inFlow)
            if !inFlow, isAtIndicator(.colon) {
                guard !isAlone else { throw error(.yaml(.textBeforeMember(line: self.line(of: next))), at: start) }
                throw error(.yaml(.colonInContinuation), at: offset)
            }
            if !isFolded {
                buffer.removeAll(keepingCapacity: true)
                buffer.append(contentsOf: bytes[start..<end])
                isFolded = true
            }
            fold.append(to: &buffer)
            buffer.append(contentsOf: bytes[next..<nextEnd])
            end = nextEnd
            line = lineStart
        }
        offset = end
        lineStart = line
        return isFolded ? String(decoding: buffer, as: UTF8.self) : text(start..<end)
    }

    /// A Boolean value that indicates whether the beginning of a line cannot continue plain text of a flow
    /// collection.
    private var endsPlainInFlow: Bool {
        if bytes[offset].isFlowIndicator { return true }
        return bytes[offset] == .colon && (isBlank(at: offset + 1) || bytes[offset + 1].isFlowIndicator)
    }

    /// Goes to what ends plain text in this line, and returns the offset behind its last character.
    @inline(__always)
    private mutating func endOfPlainLine(_ inFlow: Bool) -> Int {
        var end = offset
        while offset < bytes.count {
            switch bytes[offset] {
            case .space, .tab:
                offset += 1
                continue
            case .lineFeed, .carriageReturn:
                return end
            case .colon:
                if isBlank(at: offset + 1) || inFlow && bytes[offset + 1].isFlowIndicator { return end }
            case UInt8(ascii: "#"):
                if end < offset { return end }
            case .comma, .openBracket, .closeBracket, .openBrace, .closeBrace:
                if inFlow { return end }
            default:
                break
            }
            offset += 1
            end = offset
        }
        return end
    }

    // MARK: Quoted text

    /// Reads text in single or double quotes (sections 7.3.1 and 7.3.2).
    private mutating func readQuoted(_ leastIndent: Int, quote: UInt8) throws(JSONSyntaxError) -> String {
        let opening = offset
        var run = opening + 1
        offset = run
        // What is in the buffer: nothing while the text equals its source.
        var isBuffered = false
        // White space up to here was written as an escape, so a line's end does not take it away.
        var kept = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case quote:
                let end = offset
                offset += 1
                guard quote == .quote || offset == bytes.count || bytes[offset] != quote else {
                    take(run..<offset, &isBuffered)
                    offset += 1
                    run = offset
                    continue
                }
                guard isBuffered else { return text(run..<end) }
                buffer.append(contentsOf: bytes[run..<end])
                return String(decoding: buffer, as: UTF8.self)
            case .backslash where quote == .quote:
                take(run..<offset, &isBuffered)
                if isBreak(at: offset + 1) {
                    offset += 1
                    let fold = crossLines()
                    try checkContinuation(fold, leastIndent, opening)
                    buffer.append(contentsOf: repeatElement(.lineFeed, count: fold.emptyLines))
                } else {
                    try unescape(opening)
                }
                kept = buffer.count
                run = offset
            case .lineFeed, .carriageReturn:
                take(run..<offset, &isBuffered)
                while buffer.count > kept, buffer.last == .space || buffer.last == .tab { buffer.removeLast() }
                let fold = crossLines()
                try checkContinuation(fold, leastIndent, opening)
                fold.append(to: &buffer)
                kept = buffer.count
                run = offset
            default:
                offset += 1
            }
        }
        throw error(.stringNotClosed, at: opening)
    }

    private mutating func take(_ run: Range<Int>, _ isBuffered: inout Bool) {
        if !isBuffered { buffer.removeAll(keepingCapacity: true) }
        isBuffered = true
        buffer.append(contentsOf: bytes[run])
    }

    private func checkContinuation(_ fold: Fold, _ leastIndent: Int, _ opening: Int) throws(JSONSyntaxError) {
        guard !fold.isEnd else { throw error(.stringNotClosed, at: opening) }
        guard spaces >= leastIndent else {
            throw continuationError(leastIndent, of: opening)
        }
    }

    /// Takes the escape at `offset` (section 5.7).
    private mutating func unescape(_ opening: Int) throws(JSONSyntaxError) {
        let start = offset
        guard start + 1 < bytes.count else { throw error(.stringNotClosed, at: opening) }
        offset += 2
        switch bytes[start + 1] {
        case UInt8(ascii: "0"): buffer.append(0)
        case UInt8(ascii: "a"): buffer.append(7)
        case UInt8(ascii: "b"): buffer.append(8)
        case UInt8(ascii: "t"), .tab: buffer.append(.tab)
        case UInt8(ascii: "n"): buffer.append(.lineFeed)
        case UInt8(ascii: "v"): buffer.append(0x0B)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "r"): buffer.append(.carriageReturn)
        case UInt8(ascii: "e"): buffer.append(0x1B)
        case .space, .quote, .slash, .backslash: buffer.append(bytes[start + 1])
        case UInt8(ascii: "N"): append("\u{85}")
        case UInt8(ascii: "_"): append("\u{A0}")
        case UInt8(ascii: "L"): append("\u{2028}")
        case UInt8(ascii: "P"): append("\u{2029}")
        case UInt8(ascii: "x"): try unescape(digits: 2, at: start)
        case UInt8(ascii: "u"): try unescape(digits: 4, at: start)
        case UInt8(ascii: "U"): try unescape(digits: 8, at: start)
        default:
            throw error(.yaml(.unknownEscape(UTF8Sequence.scalar(in: bytes, at: start + 1) ?? " ")), at: start)
        }
    }

    private mutating func unescape(digits: Int, at start: Int) throws(JSONSyntaxError) {
        var value = try hexadecimal(digits, at: start)
        // Two halves of a character, as JSON writes those beyond U+FFFF.
        if value & 0xFFFF_FC00 == 0xD800, digits == 4, offset + 1 < bytes.count, bytes[offset] == .backslash,
            bytes[offset + 1] == UInt8(ascii: "u")
        {
            let first = value
            let second = offset
            offset += 2
            value = try hexadecimal(4, at: second)
            guard value & 0xFFFF_FC00 == 0xDC00 else {
                throw error(.loneSurrogate(UInt16(truncatingIfNeeded: first)), at: start)
            }
            value = 0x10000 + (first & 0x3FF) << 10 + value & 0x3FF
        }
        guard let scalar = Unicode.Scalar(value) else {
            let isSurrogate = value <= 0xFFFF
            throw error(
                isSurrogate ? .loneSurrogate(UInt16(truncatingIfNeeded: value)) : .yaml(.escapeBeyondUnicode),
                at: start
            )
        }
        append(scalar)
    }

    private mutating func hexadecimal(_ digits: Int, at start: Int) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard offset < bytes.count, let digit = bytes[offset].hexadecimalValue else {
                throw error(.yaml(.unfinishedEscape(digits: digits)), at: start)
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        buffer.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}

extension YAMLScanner {
    /// The treatment of line breaks at the end.
    private enum Chomping {
        case strip
        case clip
        case keep
    }

    /// Reads text behind `|` or `>` (YAML 1.2.2, section 8.1), up to the beginning of the line that ends it.
    mutating func readBlockScalar(parent: Int) throws(JSONSyntaxError) -> YAMLScalar {
        let start = offset
        let position = position(of: start)
        let isFolded = bytes[start] == UInt8(ascii: ">")
        let (digit, chomping) = try readBlockHeader()
        // At the root the indentation counts from the line's beginning.
        var indent = digit.map { max(parent, 0) + $0 }
        buffer.removeAll(keepingCapacity: true)
        var emptyLines = 0
        var deepestEmpty = (spaces: 0, offset: 0)
        var isFirst = true
        var wasSpaced = false
        // The text's end is not a line break.
        var hasBreak = false
        while offset < bytes.count {
            let line = offset
            lineStart = line
            while offset < bytes.count, bytes[offset] == .space, indent.map({ offset - line < $0 }) ?? true {
                offset += 1
            }
            let count = offset - line
            if offset == bytes.count || isBreak(at: offset) {
                // A line of fewer spaces than the text's indentation is empty.
                if count > deepestEmpty.spaces { deepestEmpty = (count, line) }
                emptyLines += 1
                if offset < bytes.count { takeBreak() }
                continue
            }
            if indent == nil {
                guard count > parent else {
                    try endBlockScalar(at: line)
                    break
                }
                guard deepestEmpty.spaces <= count else {
                    throw error(.yaml(.deepEmptyLine), at: deepestEmpty.offset)
                }
                indent = count
            }
            guard count == indent, !(count == 0 && isAtMarker()) else {
                try endBlockScalar(at: line)
                break
            }
            let isSpaced = bytes[offset] == .space || bytes[offset] == .tab
            appendBreaks(emptyLines, isFirst: isFirst, isFolded: isFolded && !isSpaced && !wasSpaced)
            let content = offset
            while offset < bytes.count, !isBreak(at: offset) { offset += 1 }
            buffer.append(contentsOf: bytes[content..<offset])
            emptyLines = 0
            isFirst = false
            wasSpaced = isSpaced
            hasBreak = offset < bytes.count
            if hasBreak { takeBreak() }
        }
        if hasBreak, chomping != .strip { buffer.append(.lineFeed) }
        if chomping == .keep { buffer.append(contentsOf: repeatElement(.lineFeed, count: emptyLines)) }
        lineStart = offset
        return YAMLScalar(
            text: String(decoding: buffer, as: UTF8.self),
            isPlain: false,
            position: position,
            offset: start
        )
    }

    /// Goes back to the beginning of the line that is not part of the text; a tab in its indentation is not indentation (YAML 1.2.2, section 6.1).
    private mutating func endBlockScalar(at line: Int) throws(JSONSyntaxError) {
        guard bytes[offset] != .tab else { throw error(.yaml(.tabIndentation), at: offset) }
        offset = line
    }

    /// Appends the breaks before a line; a single one is folded into a space, if it is.
    private mutating func appendBreaks(_ emptyLines: Int, isFirst: Bool, isFolded: Bool) {
        let breaks = isFirst || isFolded ? emptyLines : emptyLines + 1
        if isFolded, !isFirst, emptyLines == 0 {
            buffer.append(.space)
        } else {
            buffer.append(contentsOf: repeatElement(.lineFeed, count: breaks))
        }
    }

    /// Reads the indicators behind `|` or `>`, and the line's end.
    private mutating func readBlockHeader() throws(JSONSyntaxError) -> (digit: Int?, chomping: Chomping) {
        let start = offset
        var digit: Int?
        var chomping: Chomping?
        offset += 1
        while offset < bytes.count, !isBlank(at: offset) {
            switch bytes[offset] {
            case 0x31...0x39 where digit == nil: digit = Int(bytes[offset] - .zero)
            case .minus where chomping == nil: chomping = .strip
            case .plus where chomping == nil: chomping = .keep
            default: throw error(.yaml(.brokenBlockHeader), at: start)
            }
            offset += 1
        }
        let isSpaced = offset < bytes.count && !isBreak(at: offset)
        skipBlanks()
        if isSpaced, offset < bytes.count, bytes[offset] == UInt8(ascii: "#") {
            while offset < bytes.count, !isBreak(at: offset) { offset += 1 }
        }
        guard offset == bytes.count || isBreak(at: offset) else { throw error(.yaml(.brokenBlockHeader), at: offset) }
        if offset < bytes.count { takeBreak() }
        return (digit, chomping ?? .clip)
    }
}
