extension JSONReader {
    /// Reads a string from its opening quote to behind its closing one.
    mutating func readString() throws(JSONSyntaxError) -> String {
        let start = offset + 1
        var end = start
        // Bytes that continue a scalar and therefore take no column.
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

    /// Appends what the escape at a backslash stands for and returns the offset behind it.
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
