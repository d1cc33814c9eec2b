import Basics
import JSON

/// The form of a placeholder's expression: names, parentheses, commas and quotes.
enum PlaceholderText {
    /// Splits at a separator outside of quotes and brackets.
    ///
    /// - Parameters:
    ///   - limit: how many parts there are at most; the last one keeps its separators.
    ///   - apostrophes: whether single quotes quote, too, as they do in date patterns.
    static func split(
        _ text: Substring,
        at separator: String,
        limit: Int = .max,
        apostrophes: Bool = false
    ) -> [Substring] {
        guard let first = separator.utf8.first, mayHold(separator, text) else { return [text] }
        let bytes = text.utf8
        var parts: [Substring] = []
        var start = bytes.startIndex
        var index = start
        var depth = 0
        var quote: UInt8?
        while index < bytes.endIndex, parts.count + 1 < limit {
            let byte = bytes[index]
            if let open = quote {
                if byte == UInt8(ascii: "\\"), open == UInt8(ascii: "\"") {
                    index = bytes.index(after: index)
                    guard index < bytes.endIndex else { break }
                } else if byte == open {
                    quote = nil
                }
            } else if byte == UInt8(ascii: "\"") || apostrophes && byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
                depth += 1
            } else if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                depth -= 1
            } else if depth == 0, byte == first, bytes[index...].starts(with: separator.utf8) {
                parts.append(text[start..<index])
                index = bytes.index(index, offsetBy: separator.utf8.count)
                start = index
                continue
            }
            index = bytes.index(after: index)
        }
        return parts + [text[start...]]
    }

    /// Returns whether a separator is anywhere in a text; most placeholders do not hold it.
    private static func mayHold(_ separator: String, _ text: Substring) -> Bool {
        var (text, separator) = (text, separator)
        return text.withUTF8 { bytes in
            separator.withUTF8 { separator in
                guard let start = bytes.baseAddress, let first = separator.first else { return false }
                var offset = 0
                while offset + separator.count <= bytes.count {
                    let part = UnsafeBufferPointer(start: start + offset, count: separator.count)
                    if start[offset] == first, part.hasSameBytes(as: separator) { return true }
                    offset += 1
                }
                return false
            }
        }
    }

    /// Takes `name(a, key: b)` apart; `nil` arguments when there are no parentheses.
    static func call(_ expression: String) throws(PlaceholderParser.Problem) -> (name: String, arguments: Substring?) {
        guard let open = expression.utf8.firstIndex(of: UInt8(ascii: "(")) else { return (expression, nil) }
        guard expression.utf8.last == UInt8(ascii: ")") else {
            throw PlaceholderParser.Problem(
                message: "the arguments of \"\(expression)\" are not closed",
                advice: "close the arguments with \")\""
            )
        }
        let inner = expression.utf8[expression.utf8.index(after: open)...].dropLast()
        return (trimmed(expression[..<open]), Substring(inner))
    }

    /// The arguments one by one; none when there is nothing between the parentheses.
    static func arguments(
        _ text: Substring?,
        apostrophes: Bool = false
    ) throws(PlaceholderParser.Problem) -> [String] {
        guard let text, !trimmed(text).isEmpty else { return [] }
        let arguments = split(text, at: ",", apostrophes: apostrophes).map(trimmed)
        guard !arguments.contains("") else {
            throw PlaceholderParser.Problem(message: "found an extra comma in \"(\(text))\"")
        }
        return arguments
    }

    static func trimmed(_ text: Substring) -> String {
        let space = UInt8(ascii: " ")
        let bytes = text.utf8.drop { $0 == space }
        guard let last = bytes.lastIndex(where: { $0 != space }) else { return "" }
        return String(Substring(bytes[...last]))
    }
}
