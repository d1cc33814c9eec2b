import Basics

/// A run of bytes in a message that may be a token or a part of one, as it is written there.
///
/// Percent-encoding and the escapes of JSON are undone, so that a token is the same word in a query, a form and a body.
package struct TokenWord {
    /// The place of the word as it is written.
    package var range: Range<Int>
    /// The word without percent-encoding and escapes.
    package var bytes: [UInt8]

    /// The next word at a place or after it; `nil` after the last one.
    ///
    /// A full stop at the end of a word may end a sentence and does not belong to it.
    ///
    /// - Parameter shortest: The number of bytes of the shortest word that is returned.
    package static func next(in bytes: [UInt8], from start: Int, shortest: Int = 1) -> TokenWord? {
        var index = start
        while index < bytes.count {
            let begin = index
            // The end of the word without full stops behind it.
            var end = index
            while index < bytes.count {
                let (byte, length) = unit(in: bytes, at: index)
                index += length
                guard isTokenByte(byte) else { break }
                if byte != UInt8(ascii: ".") { end = index }
            }
            // Encoded, it has more bytes than decoded.
            guard end - begin >= max(shortest, 1) else { continue }
            let word = decoded(bytes[begin..<end])
            if word.count >= shortest { return TokenWord(range: begin..<end, bytes: word) }
        }
        return nil
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "%")) || bytes.contains(UInt8(ascii: "\\")) else { return Array(bytes) }
        let bytes = Array(bytes)
        var (word, index): ([UInt8], Int) = ([], 0)
        while index < bytes.count {
            let (byte, length) = unit(in: bytes, at: index)
            word.append(byte)
            index += length
        }
        return word
    }

    /// The words of a text.
    static func all(in text: String) -> [TokenWord] {
        let bytes = Array(text.utf8)
        var (words, index): ([TokenWord], Int) = ([], 0)
        while let word = next(in: bytes, from: index) {
            words.append(word)
            index = word.range.upperBound
        }
        return words
    }

    /// The byte at a place, and the number of bytes in which it is written.
    package static func unit(in bytes: [UInt8], at index: Int) -> (byte: UInt8, length: Int) {
        let byte = bytes[index]
        if byte == UInt8(ascii: "%"), let value = hexadecimal(bytes, index + 1, 2) { return (UInt8(value), 3) }
        guard byte == UInt8(ascii: "\\"), index + 1 < bytes.count else { return (byte, 1) }
        guard bytes[index + 1] == UInt8(ascii: "u"), let value = hexadecimal(bytes, index + 2, 4) else {
            return (bytes[index + 1] == UInt8(ascii: "/") ? UInt8(ascii: "/") : byte, 2)
        }
        return (value < 0x80 ? UInt8(value) : 0, 6)
    }

    private static func hexadecimal(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int? {
        guard start + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[start..<start + count] {
            guard let digit = byte.hexadecimalDigitValue else { return nil }
            value = value << 4 | Int(digit)
        }
        return value
    }

    /// The bytes of a Bearer token except `/` and `=`, which divide paths and queries (RFC 6750, section 2.1).
    private static func isTokenByte(_ byte: UInt8) -> Bool { byte.isUnreserved || byte == UInt8(ascii: "+") }
}
