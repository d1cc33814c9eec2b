/// The parser at work on one text.
///
/// It does not recurse: open arrays and objects wait in `frames`, and their finished parts in two common stacks, from
/// where they are moved into arrays of exactly the right size. So no depth can overflow the thread's stack, and an
/// object costs one allocation.
struct JSONReader {
    /// An array or object that is still open.
    private struct Frame {
        var container: JSONSyntaxError.Container
        var position: JSONPosition
        /// The start of its parts in `elements` or `members`.
        var base: Int
        /// The number in `members` of the member whose value comes next.
        var awaiting = 0
        var names = NameIndex()
    }

    private static let maximumDuplicates = 1_000

    let bytes: UnsafeBufferPointer<UInt8>
    private let document: Int32
    private let maximumDepth: Int
    private let duplicateNames: JSONParser.DuplicateNames

    /// The next byte's number.
    var offset = 0
    private var line = 1
    /// The offset at which the line begins, moved by the bytes of this line that begin no scalar; so the difference to
    /// `offset` counts scalars.
    var lineStart = 0
    private var frames: [Frame] = []
    private var elements: [JSONValue] = []
    private var members: [JSONObject.Member] = []
    private var duplicates: [DuplicateName] = []
    /// The bytes of a string with escapes, kept for reuse.
    var unescaped: [UInt8] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>, as parser: JSONParser) {
        self.bytes = bytes
        document = parser.document
        maximumDepth = min(max(parser.maximumDepth, 0), JSONParser.depthLimit)
        duplicateNames = parser.duplicateNames
    }

    mutating func readDocument() throws(JSONSyntaxError) -> JSONDocument {
        try refuseOtherEncodings()
        skipWhiteSpace()
        let root = try readRoot()
        skipWhiteSpace()
        guard offset == bytes.count else { throw diagnosis(.endOfText) }
        return JSONDocument(root: root, duplicates: duplicates)
    }

    private mutating func readRoot() throws(JSONSyntaxError) -> JSONValue {
        while true {
            // A container that was opened and has parts gives nothing yet: its first part is read next.
            guard var value = try readOrOpen() else { continue }
            while !frames.isEmpty {
                guard let closed = try place(value, in: frames.count - 1) else { break }
                value = closed
            }
            if frames.isEmpty { return value }
        }
    }

    // MARK: Values

    /// Reads a scalar or an empty container; opens any other container up to its first value and returns `nil`.
    @inline(__always)
    private mutating func readOrOpen() throws(JSONSyntaxError) -> JSONValue? {
        let position = position
        guard offset < bytes.count else { throw diagnosis(.value) }
        switch bytes[offset] {
        case .quote:
            return JSONValue(.string(try readString()), at: position)
        case .openBrace:
            try open(.object, base: members.count, at: position)
            if next(is: .closeBrace) { return closeObject() }
            try readName()
            return nil
        case .openBracket:
            try open(.array, base: elements.count, at: position)
            return next(is: .closeBracket) ? closeArray() : nil
        case .minus, 0x30...0x39:
            return JSONValue(.number(try readNumber()), at: position)
        case UInt8(ascii: "t") where takes("true"):
            return JSONValue(.bool(true), at: position)
        case UInt8(ascii: "f") where takes("false"):
            return JSONValue(.bool(false), at: position)
        case UInt8(ascii: "n") where takes("null"):
            return JSONValue(.null, at: position)
        default:
            throw diagnosis(.value)
        }
    }

    /// Puts a finished value into the open container and reads what follows: the way to the next value, or the end,
    /// which makes the container the finished value.
    @inline(__always)
    private mutating func place(_ value: JSONValue, in top: Int) throws(JSONSyntaxError) -> JSONValue? {
        switch frames[top].container {
        case .array:
            elements.append(value)
            if next(is: .comma) {
                skipWhiteSpace()
                return nil
            }
            if next(is: .closeBracket) { return closeArray() }
            throw diagnosis(.commaOrEnd(.array))
        case .object:
            members[frames[top].awaiting].value = value
            if next(is: .comma) {
                skipWhiteSpace()
                try readName()
                return nil
            }
            if next(is: .closeBrace) { return closeObject() }
            throw diagnosis(.commaOrEnd(.object))
        }
    }

    private mutating func open(
        _ container: JSONSyntaxError.Container,
        base: Int,
        at position: JSONPosition
    ) throws(JSONSyntaxError) {
        guard frames.count < maximumDepth else { throw error(.tooDeep(limit: maximumDepth), at: offset) }
        frames.append(Frame(container: container, position: position, base: base))
        offset += 1
        skipWhiteSpace()
    }

    private mutating func closeArray() -> JSONValue {
        let frame = frames.removeLast()
        let array = Array(elements[frame.base...])
        elements.removeLast(array.count)
        return JSONValue(.array(array), at: frame.position)
    }

    private mutating func closeObject() -> JSONValue {
        let frame = frames.removeLast()
        let own = Array(members[frame.base...])
        members.removeLast(own.count)
        return JSONValue(.object(JSONObject(distinct: own, index: frame.names)), at: frame.position)
    }

    // MARK: Names

    /// Reads a member's name and colon, up to the value.
    @inline(__always)
    private mutating func readName() throws(JSONSyntaxError) {
        let namePosition = position
        let nameOffset = offset
        guard offset < bytes.count, bytes[offset] == .quote else { throw diagnosis(.name) }
        let name = try readString()
        guard next(is: .colon) else { throw diagnosis(.colon, after: name) }
        skipWhiteSpace()

        let top = frames.count - 1
        let base = frames[top].base
        if let number = frames[top].names.number(of: name, in: members, from: base) {
            let first = members[base + number].namePosition
            guard duplicateNames == .lastWins else { throw error(.duplicateName(name, first: first), at: nameOffset) }
            frames[top].awaiting = base + number
            if duplicates.count < JSONReader.maximumDuplicates {
                duplicates.append(DuplicateName(name: name, position: namePosition, firstPosition: first))
            }
        } else {
            frames[top].awaiting = members.count
            members.append(JSONObject.Member(name: name, namePosition: namePosition, value: .null))
            frames[top].names.noteLast(of: members, from: base)
        }
    }

    // MARK: Characters

    /// The position of the next byte.
    @inline(__always)
    private var position: JSONPosition {
        JSONPosition(
            document: document,
            line: Int32(truncatingIfNeeded: min(line, Int(Int32.max))),
            column: Int32(truncatingIfNeeded: min(offset - lineStart + 1, Int(Int32.max)))
        )
    }

    /// Skips white space, then takes one byte if it is this one.
    @inline(__always)
    private mutating func next(is byte: UInt8) -> Bool {
        skipWhiteSpace()
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    @inline(__always)
    private mutating func skipWhiteSpace() {
        while offset < bytes.count, bytes[offset] <= .space {
            switch bytes[offset] {
            case .space, .tab:
                offset += 1
            case .lineFeed:
                offset += 1
                line += 1
                lineStart = offset
            case .carriageReturn:
                offset += 1
                if offset < bytes.count, bytes[offset] == .lineFeed { offset += 1 }
                line += 1
                lineStart = offset
            default:
                return
            }
        }
    }

    /// Consumes a word if it is here as a whole.
    @inline(__always)
    private mutating func takes(_ word: StaticString) -> Bool {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for number in 0..<word.utf8CodeUnitCount where bytes[offset + number] != word.utf8Start[number] { return false }
        guard end == bytes.count || !bytes[end].isWordPart else { return false }
        offset = end
        return true
    }

    private mutating func readNumber() throws(JSONSyntaxError) -> JSONNumber {
        var end = offset
        if let fault = NumberGrammar.scan(bytes, from: offset, end: &end) {
            throw numberDiagnosis(fault)
        }
        guard end == bytes.count || !bytes[end].isNumberPart else { throw foreignNumber() }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[offset..<end]), as: UTF8.self)
        offset = end
        return JSONNumber(checked: text)
    }

    // MARK: Errors

    /// The open container that comes next in the way of the text's end.
    var innermost: (container: JSONSyntaxError.Container, opened: JSONPosition)? {
        frames.last.map { ($0.container, $0.position) }
    }

    /// The name whose value or colon was about to be read.
    var awaitingName: String {
        guard let frame = frames.last, members.indices.contains(frame.awaiting) else { return "" }
        return members[frame.awaiting].name
    }

    func error(_ reason: JSONSyntaxError.Reason, at offset: Int) -> JSONSyntaxError {
        JSONSyntaxError(reason, at: position(of: offset), offset: offset)
    }

    /// Counts lines and columns from the start, as an error needs it once only.
    private func position(of target: Int) -> JSONPosition {
        var line = 1
        var column = 1
        for offset in 0..<min(target, bytes.count) {
            let byte = bytes[offset]
            let endsLine =
                byte == .lineFeed
                || byte == .carriageReturn && !(offset + 1 < bytes.count && bytes[offset + 1] == .lineFeed)
            if endsLine {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return JSONPosition(document: document, line: Int32(clamping: line), column: Int32(clamping: column))
    }
}

extension JSONReader {
    /// Reads a string from its opening quote to behind its closing one.
    mutating func readString() throws(JSONSyntaxError) -> String {
        let start = offset + 1
        var end = start
        // Bytes that continue a scalar, which do not count as columns.
        var continuations = 0
        while true {
            end = endOfPlainText(from: end)
            guard end < bytes.count else { throw error(.stringNotClosed, at: offset) }
            switch bytes[end] {
            case .quote:
                offset = end + 1
                lineStart += continuations
                return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
            case .backslash:
                return try readStringWithEscapes(from: start, upTo: end, continuations: continuations)
            default:
                let length = try lengthOfScalar(at: end)
                continuations += length - 1
                end += length
            }
        }
    }

    /// Reads on from the first backslash of a string.
    private mutating func readStringWithEscapes(
        from start: Int,
        upTo backslash: Int,
        continuations: Int
    ) throws(JSONSyntaxError) -> String {
        var end = backslash
        var continuations = continuations
        unescaped.removeAll(keepingCapacity: true)
        unescaped.append(contentsOf: bytes[start..<end])
        while true {
            let plain = end
            end = endOfPlainText(from: plain)
            unescaped.append(contentsOf: bytes[plain..<end])
            guard end < bytes.count else { throw error(.stringNotClosed, at: offset) }
            switch bytes[end] {
            case .quote:
                offset = end + 1
                lineStart += continuations
                return String(decoding: unescaped, as: UTF8.self)
            case .backslash:
                end = try unescape(at: end)
            default:
                let length = try lengthOfScalar(at: end)
                continuations += length - 1
                unescaped.append(contentsOf: bytes[end..<end + length])
                end += length
            }
        }
    }

    /// The first byte from an offset on that is a quote, a backslash, a control character or not ASCII.
    @inline(__always)
    private func endOfPlainText(from start: Int) -> Int {
        var offset = start
        let memory = UnsafeRawBufferPointer(bytes)
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        // Eight bytes at a time: a byte's top bit shows that it is special. Borrowing between bytes can only mark a
        // byte behind the first special one, which is the one that counts.
        while offset &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let quotes = word ^ (ones &* 0x22)
            let backslashes = word ^ (ones &* 0x5C)
            let marks = (quotes &- ones) | (backslashes &- ones) | (word &- ones &* 0x20) | word
            // A byte from 0x80 on is special itself, so the marks that such bytes cause by themselves do no harm.
            let special = marks & tops
            if special != 0 { return offset &+ special.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte < 0x20 || byte == .quote || byte == .backslash || byte >= 0x80 { return offset }
            offset &+= 1
        }
        return offset
    }

    /// The number of bytes of the scalar at an offset, which is known to be a control character or not ASCII.
    @inline(__always)
    private func lengthOfScalar(at offset: Int) throws(JSONSyntaxError) -> Int {
        let byte = bytes[offset]
        guard byte >= 0x20 else {
            let isLineBreak = byte == .lineFeed || byte == .carriageReturn
            throw error(isLineBreak ? .lineBreakInString : .controlCharacterInString(byte), at: offset)
        }
        let length = UTF8Sequence.length(in: bytes, at: offset)
        guard length > 0 else {
            throw error(.invalidUTF8(UTF8Sequence.fault(in: bytes, at: offset), byte: byte), at: offset)
        }
        return length
    }

    // MARK: Escapes

    /// Appends the character of the escape at a backslash and returns the offset after it.
    private mutating func unescape(at backslash: Int) throws(JSONSyntaxError) -> Int {
        guard backslash + 1 < bytes.count else { throw error(.stringNotClosed, at: offset) }
        switch bytes[backslash + 1] {
        case .quote: unescaped.append(.quote)
        case .backslash: unescaped.append(.backslash)
        case .slash: unescaped.append(.slash)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(.lineFeed)
        case UInt8(ascii: "r"): unescaped.append(.carriageReturn)
        case UInt8(ascii: "t"): unescaped.append(.tab)
        case UInt8(ascii: "u"): return try unescapeUnicode(at: backslash)
        default:
            guard let scalar = UTF8Sequence.scalar(in: bytes, at: backslash + 1) else {
                let fault = UTF8Sequence.fault(in: bytes, at: backslash + 1)
                throw error(.invalidUTF8(fault, byte: bytes[backslash + 1]), at: backslash + 1)
            }
            throw error(.unknownEscape(scalar), at: backslash)
        }
        return backslash + 2
    }

    private mutating func unescapeUnicode(at backslash: Int) throws(JSONSyntaxError) -> Int {
        let unit = try codeUnit(at: backslash)
        var value = UInt32(unit)
        var end = backslash + 6
        if unit & 0xF800 == 0xD800 {
            let followsSecond = end + 1 < bytes.count && bytes[end] == .backslash && bytes[end + 1] == UInt8(ascii: "u")
            guard unit < 0xDC00, followsSecond else { throw error(.loneSurrogate(unit), at: backslash) }
            let second = try codeUnit(at: end)
            guard second & 0xFC00 == 0xDC00 else { throw error(.loneSurrogate(unit), at: backslash) }
            value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(second & 0x3FF))
            end += 6
        }
        guard let scalar = Unicode.Scalar(value) else { throw error(.loneSurrogate(unit), at: backslash) }
        unescaped.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return end
    }

    /// The four hexadecimal digits after the `\u` at an offset.
    private func codeUnit(at backslash: Int) throws(JSONSyntaxError) -> UInt16 {
        var unit: UInt16 = 0
        for place in backslash + 2..<backslash + 6 {
            guard place < bytes.count else { throw error(.stringNotClosed, at: offset) }
            guard let digit = bytes[place].hexadecimalValue else {
                throw error(.unfinishedUnicodeEscape, at: backslash)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
