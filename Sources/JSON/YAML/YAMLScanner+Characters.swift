import Basics

extension YAMLScanner {
    // MARK: Single characters

    /// The byte at `offset`, before the end.
    @inline(__always)
    var byte: UInt8 { bytes[offset] }

    @inline(__always)
    var isAtEnd: Bool { offset == bytes.count }

    /// A Boolean value that indicates whether `offset` is at the first character of its line that is not white space.
    @inline(__always)
    var isAtContent: Bool { offset == contentStart }

    @inline(__always)
    var isAtProperty: Bool { byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") }

    /// Returns whether a space, a tab, a line break or the text's end is at an offset.
    @inline(__always)
    func isBlank(at offset: Int) -> Bool {
        guard offset < bytes.count else { return true }
        switch bytes[offset] {
        case .space, .tab, .lineFeed, .carriageReturn: return true
        default: return false
        }
    }

    @inline(__always)
    func isBreak(at offset: Int) -> Bool {
        offset < bytes.count && (bytes[offset] == .lineFeed || bytes[offset] == .carriageReturn)
    }

    /// Returns whether the byte at `offset` is this indicator, which white space or the text's end has to follow.
    @inline(__always)
    func isAtIndicator(_ indicator: UInt8) -> Bool {
        offset < bytes.count && bytes[offset] == indicator && isBlank(at: offset + 1)
    }

    /// Returns whether a line begins at `offset` with `---` or `...`.
    @inline(__always)
    func isAtMarker(_ character: Unicode.Scalar? = nil) -> Bool {
        guard offset == lineStart, offset + 3 <= bytes.count else { return false }
        let byte = bytes[offset]
        guard byte == .minus || byte == .point, byte == bytes[offset + 1], byte == bytes[offset + 2] else {
            return false
        }
        return isBlank(at: offset + 3) && character.map { UInt8(ascii: $0) == byte } ?? true
    }

    /// Returns whether a colon before an offset ends a name: what follows cannot go on a plain text.
    func isEndOfName(at offset: Int) -> Bool {
        isBlank(at: offset) || bytes[offset].isFlowIndicator
    }

    /// The last tab before an offset in its line.
    func tab(before start: Int) -> Int {
        var place = start
        while place > lineStart, bytes[place] != .tab { place -= 1 }
        return place
    }

    // MARK: White space

    mutating func skipEndMarker() throws(JSONSyntaxError) {
        offset += 3
        try skipSeparation()
        guard offset == bytes.count || offset == contentStart else { throw textAfterValue() }
    }

    /// Skips spaces and tabs.
    @inline(__always)
    mutating func skipBlanks() {
        while offset < bytes.count, bytes[offset] == .space || bytes[offset] == .tab { offset += 1 }
    }

    /// Skips white space in the line; returns whether a colon that ends a name follows.
    mutating func skipToColon() -> Bool {
        skipBlanks()
        return isAtIndicator(.colon)
    }

    /// Takes a line break: LF, CR or CR LF.
    @inline(__always)
    mutating func takeBreak() {
        if bytes[offset] == .carriageReturn, offset + 1 < bytes.count, bytes[offset + 1] == .lineFeed { offset += 1 }
        offset += 1
        lineStart = offset
    }

    /// Counts and skips the spaces that a line begins with.
    @inline(__always)
    mutating func takeIndentation() {
        while offset < bytes.count, bytes[offset] == .space { offset += 1 }
        spaces = offset - lineStart
    }

    /// Refuses a tab in the white space before the line's first character.
    func checkIndentation() throws(JSONSyntaxError) {
        guard !sawTab else { throw error(.yaml(.tabIndentation), at: lineStart + spaces) }
    }

    /// Skips white space, line breaks and comments; `contentStart` tells whether a line was begun.
    mutating func skipSeparation() throws(JSONSyntaxError) {
        if offset == contentStart { return }
        sawTab = false
        var isLineBegun = offset == lineStart
        var mayComment = isLineBegun || offset > 0 && isBlank(at: offset - 1)
        if isLineBegun { takeIndentation() }
        while offset < bytes.count {
            switch bytes[offset] {
            case .space:
                offset += 1
                mayComment = true
            case .tab:
                offset += 1
                mayComment = true
                sawTab = true
            case .lineFeed, .carriageReturn:
                takeBreak()
                takeIndentation()
                sawTab = false
                mayComment = true
                isLineBegun = true
            case UInt8(ascii: "#") where mayComment:
                while offset < bytes.count, !isBreak(at: offset) { offset += 1 }
            default:
                if isLineBegun { contentStart = offset }
                return
            }
        }
        if isLineBegun { contentStart = offset }
    }

    /// The white space between the lines of one scalar.
    struct Fold {
        var emptyLines = 0
        /// A Boolean value that indicates whether the text or the document ends instead of going on.
        var isEnd = false

        /// A single break becomes a space, empty lines become breaks (YAML 1.2.2, section 6.5).
        func append(to buffer: inout [UInt8]) {
            if emptyLines == 0 {
                buffer.append(.space)
            } else {
                buffer.append(contentsOf: repeatElement(.lineFeed, count: emptyLines))
            }
        }
    }

    /// Advances from a line break to the first character of the next line that has one.
    mutating func crossLines() -> Fold {
        var fold = Fold(emptyLines: -1)
        while offset < bytes.count {
            guard isBreak(at: offset) else {
                fold.isEnd = spaces == 0 && lineStart == offset && isAtMarker()
                return fold
            }
            takeBreak()
            fold.emptyLines += 1
            takeIndentation()
            sawTab = false
            while offset < bytes.count, bytes[offset] == .tab || bytes[offset] == .space {
                offset += 1
                sawTab = true
            }
        }
        fold.isEnd = true
        return fold
    }

    // MARK: Forbidden characters

    /// Refuses what no YAML text may have anywhere, and notes what only quotes may have (section 5.1).
    mutating func checkCharacters() throws(JSONSyntaxError) {
        if bytes.count > 1 {
            switch (bytes[0], bytes[1]) {
            case (0xFF, 0xFE), (0xFE, 0xFF), (0, _), (_, 0): throw error(.yaml(.wideEncoding), at: 0)
            default: break
            }
        }
        let memory = UnsafeRawBufferPointer(bytes)
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        var offset = 0
        while offset < bytes.count {
            // Eight bytes at a time, while they are printable ASCII.
            while offset &+ 8 <= bytes.count {
                let word = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let deletes = word ^ (ones &* 0x7F)
                let special = (word | (word &- ones &* 0x20) | (deletes &- ones)) & tops
                guard special == 0 else {
                    offset &+= special.trailingZeroBitCount / 8
                    break
                }
                offset &+= 8
            }
            guard offset < bytes.count else { return }
            let byte = bytes[offset]
            if byte >= 0x20, byte < 0x7F {
                offset += 1
                continue
            }
            if byte < 0x20 {
                guard byte == .tab || byte == .lineFeed || byte == .carriageReturn else {
                    throw error(.yaml(.controlCharacter(Unicode.Scalar(byte))), at: offset)
                }
                offset += 1
                continue
            }
            let length = UTF8Sequence.length(in: bytes, at: offset)
            guard length > 0 else {
                throw error(.invalidUTF8(UTF8Sequence.fault(in: bytes, at: offset), byte: byte), at: offset)
            }
            if isUnprintable(at: offset) { unprintable.append(offset) }
            offset += length
        }
    }

    /// Returns whether the character is DEL, of the C1 controls but NEL, U+FEFF, U+FFFE or U+FFFF.
    private func isUnprintable(at offset: Int) -> Bool {
        switch bytes[offset] {
        case 0x7F: true
        case 0xC2: bytes[offset + 1] < 0xA0 && bytes[offset + 1] != 0x85
        case 0xEF:
            bytes[offset + 1] == 0xBB && bytes[offset + 2] == 0xBF
                || bytes[offset + 1] == 0xBF && bytes[offset + 2] >= 0xBE
        default: false
        }
    }

    /// Refuses noted characters before an offset and outside of quotes.
    func checkUnprintable(before end: Int) throws(JSONSyntaxError) {
        guard nextUnprintable < unprintable.count, unprintable[nextUnprintable] < end else { return }
        let place = unprintable[nextUnprintable]
        throw error(.yaml(.controlCharacter(UTF8Sequence.scalar(in: bytes, at: place) ?? " ")), at: place)
    }

    /// Lets pass the noted characters in quoted text.
    mutating func allowUnprintable(in range: Range<Int>) throws(JSONSyntaxError) {
        try checkUnprintable(before: range.lowerBound)
        while nextUnprintable < unprintable.count, unprintable[nextUnprintable] < range.upperBound {
            nextUnprintable += 1
        }
    }
}
