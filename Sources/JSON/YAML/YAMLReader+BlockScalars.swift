extension YAMLReader {
    /// What becomes of the line breaks at the end.
    private enum Chomping {
        case strip
        case clip
        case keep
    }

    /// Reads text behind `|` or `>` (YAML 1.2.2, section 8.1), up to the beginning of the line that ends it.
    mutating func readBlockScalar(parent: Int) throws(JSONSyntaxError) -> Scalar {
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
        return Scalar(
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
