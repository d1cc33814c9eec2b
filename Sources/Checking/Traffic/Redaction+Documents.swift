import Basics
import ScenarioFormat
import Simulation

/// Texts without a structure that tells where a secret is, such as pages, scripts and XML.
///
/// In such a text, these parts are replaced: the secrets that the capture shows anywhere, in each escaped form; what
/// follows a name of a secret, as in `access_token=…`, `"token": "…"` and `<token>…</token>`; the values of hidden
/// inputs; and long words with letters and digits in no order. A text that still shows one of them after its escapes
/// are decoded cannot be shown.
extension Redaction {
    /// A text as it may be shown; `nil` if it may not.
    mutating func document(_ text: String) -> String? {
        let shown = replaced(text)
        for form in Self.forms(of: shown).dropFirst() where replaced(form).exact != form.exact { return nil }
        return shown
    }

    /// Adds the secrets that a text names, so that they are found everywhere.
    mutating func learn(document text: String) {
        for form in Self.forms(of: text) {
            let bytes = Array(form.utf8)
            for range in NamedValues(bytes).ranges where !Self.isReplaced(bytes[range]) {
                addSecret(String(decoding: bytes[range], as: UTF8.self))
            }
        }
    }

    private mutating func replaced(_ text: String) -> String {
        let named = Self.replacing(text) { bytes in
            NamedValues(bytes).ranges.filter { !Self.isReplaced(bytes[$0]) }.map { ($0, Self.placeholder) }
        }
        return Self.replacing(line(named)) { bytes in
            Self.words(of: bytes).filter { range in
                Self.isRandom(bytes[range]) && !publicWords.contains(Array(bytes[range]))
            }
            .map { range in
                // Equal words stay equal.
                let fingerprint = Token.standIn(for: String(decoding: bytes[range], as: UTF8.self)).suffix(8)
                return (range, "\(Self.placeholder)-\(fingerprint)")
            }
        }
    }

    /// A text such as a header field's, without the secrets of the capture.
    mutating func line(_ text: String) -> String {
        let plain = plain(text)
        return Self.replacing(plain) { bytes in words.ranges(in: bytes).map { ($0, Self.placeholder) } }
    }

    private static func isReplaced(_ value: ArraySlice<UInt8>) -> Bool {
        let bytes = value.first.map { $0 == UInt8(ascii: "-") } ?? false ? value.dropFirst() : value
        return bytes.starts(with: placeholder.utf8)
    }

    private static func replacing(
        _ text: String,
        _ find: ([UInt8]) -> [(Range<Int>, String)]
    ) -> String {
        let bytes = Array(text.utf8)
        let found = find(bytes)
        guard !found.isEmpty else { return text }
        var (result, copied): ([UInt8], Int) = ([], 0)
        for (range, new) in found where range.lowerBound >= copied {
            result += bytes[copied..<range.lowerBound]
            result += new.utf8
            copied = range.upperBound
        }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    // MARK: Words

    /// Adds the words of a path that clients request, which pages may show.
    mutating func addPublic(path: String) {
        let bytes = Array((PercentEncoding.decode(path) ?? path).utf8)
        for range in Self.words(of: bytes) where range.count >= Self.shortestRandom {
            publicWords.insert(Array(bytes[range]))
        }
    }

    private static let shortestRandom = 16

    /// The words of a text, without data in Base64 and hashes of files.
    private static func words(of bytes: [UInt8]) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            guard isWordByte(bytes[index]) else {
                index += 1
                continue
            }
            let start = index
            while index < bytes.count, isWordByte(bytes[index]) { index += 1 }
            let isData = bytes[..<start].suffix(7).elementsEqual("base64,".utf8)
            let isHash = ["sha256-", "sha384-", "sha512-"].contains { bytes[start..<index].starts(with: $0.utf8) }
            if isData || isHash {
                while index < bytes.count, isWordByte(bytes[index]) || "/=".utf8.contains(bytes[index]) { index += 1 }
            } else {
                // A full stop behind it ends a sentence.
                var end = index
                while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
                if end > start { words.append(start..<end) }
            }
        }
        return words
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-_+.~".utf8.contains(byte)
    }

    /// Returns whether a word has letters and digits in no order, as tokens and identifiers have.
    private static func isRandom(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= shortestRandom, word.contains(where: \.isDigit), !isReplaced(word) else { return false }
        var (digitChanges, changes): (Int, Int) = (0, 0)
        var last: UInt8?
        for byte in word where byte.isLetter || byte.isDigit {
            defer { last = byte }
            guard let last else { continue }
            if last.isDigit != byte.isDigit { digitChanges += 1 }
            if last.isDigit != byte.isDigit || last & 0x20 != 0 && byte & 0x20 == 0 { changes += 1 }
        }
        return digitChanges >= 3 || changes > 0 && digitChanges > 0 && changes * 4 >= word.count
    }

    // MARK: Forms

    /// A text, and what is left of it after its escapes are decoded once and twice.
    private static func forms(of text: String) -> [String] {
        var forms = [text]
        for _ in 0..<2 {
            let next = decoded(forms[forms.count - 1])
            guard next.exact != forms[forms.count - 1].exact else { break }
            forms.append(next)
        }
        return forms
    }

    private static let references: [(name: String, byte: UInt8)] = [
        ("amp;", UInt8(ascii: "&")), ("quot;", UInt8(ascii: "\"")), ("apos;", UInt8(ascii: "'")),
        ("lt;", UInt8(ascii: "<")), ("gt;", UInt8(ascii: ">")),
    ]

    /// Decodes percent-encoding, character references of HTML and XML, and escapes of JSON.
    private static func decoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var (result, index): ([UInt8], Int) = ([], 0)
        func number(_ start: Int, radix: UInt32, most: Int) -> (UnicodeScalar, end: Int)? {
            var (value, end): (UInt32, Int) = (0, start)
            while end < bytes.count, end - start < most,
                let digit = Character(UnicodeScalar(bytes[end])).hexDigitValue, digit < radix
            {
                (value, end) = (value * radix + UInt32(digit), end + 1)
            }
            return end == start ? nil : UnicodeScalar(value).map { ($0, end) }
        }
        while index < bytes.count {
            var found: (bytes: [UInt8], end: Int)?
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            switch bytes[index] {
            case UInt8(ascii: "%"):
                if let (scalar, end) = number(index + 1, radix: 16, most: 2), end == index + 3 {
                    found = ([UInt8(scalar.value)], end)
                }
            case UInt8(ascii: "\\") where next | 0x20 == UInt8(ascii: "u"),
                UInt8(ascii: "\\") where next == UInt8(ascii: "x"):
                let count = next == UInt8(ascii: "x") ? 2 : 4
                if let (scalar, end) = number(index + 2, radix: 16, most: count), end == index + 2 + count {
                    found = (Array(String(scalar).utf8), end)
                }
            case UInt8(ascii: "\\") where "/\"'\\".utf8.contains(next): found = ([next], index + 2)
            case UInt8(ascii: "&") where next == UInt8(ascii: "#"):
                let isHex = index + 2 < bytes.count && bytes[index + 2] | 0x20 == UInt8(ascii: "x")
                if let (scalar, end) = number(index + (isHex ? 3 : 2), radix: isHex ? 16 : 10, most: 6) {
                    let isClosed = end < bytes.count && bytes[end] == UInt8(ascii: ";")
                    found = (Array(String(scalar).utf8), isClosed ? end + 1 : end)
                }
            case UInt8(ascii: "&"):
                let rest = bytes[(index + 1)...].prefix(5)
                if let known = references.first(where: { rest.starts(with: $0.name.utf8) }) {
                    found = ([known.byte], index + 1 + known.name.utf8.count)
                }
            default: break
            }
            result += found?.bytes ?? [bytes[index]]
            index = found?.end ?? index + 1
        }
        return String(decoding: result, as: UTF8.self)
    }
}
