package import JSON

/// The layout of the JSON in generated files, which end with a line break.
package enum JSONLayout: Sendable {
    /// Each member and element is on its own line.
    case lines
    /// A value that fits on a line stays on it.
    case fitted

    /// The longest line that is not a single long text.
    static let width = 120

    package func utf8(_ value: JSONValue) -> [UInt8] {
        self == .lines ? value.utf8(.pretty) + [Self.lineFeed] : Self.layout(value).bytes
    }

    /// The text of a value inside a file: one line if the value fits.
    ///
    /// - Parameters:
    ///   - indent: The indentation of the value's line, in steps of two spaces.
    ///   - column: The number of bytes in front of the value on its line.
    ///   - staying: Whether a value that fits stays on the line; the values in it always do.
    package static func inline(_ value: JSONValue, indent: Int = 0, column: Int = 0, staying: Bool = true) -> [UInt8] {
        var (bytes, discarded): ([UInt8], Int) = ([], 0)
        append(value, indent: indent, column: column, staying: staying, to: &bytes, &discarded)
        return bytes
    }

    /// The layout of a value inside a file, as its text shows it.
    package struct Inline {
        private let indent: Int
        private let column: Int
        private let hasLines: Bool
        private let hasOnlyLines: Bool

        /// - Parameters:
        ///   - text: The text of the value.
        ///   - indent: The indentation of the value's line, in steps of two spaces.
        ///   - column: The number of bytes in front of the value on its line.
        package init(_ text: ArraySlice<UInt8>, of value: JSONValue, _ indent: Int, column: Int) {
            (self.indent, self.column) = (indent, column)
            hasLines = text.contains(JSONLayout.lineFeed)
            hasOnlyLines = text.elementsEqual(Self.lines(value, indent))
        }

        package func utf8(_ value: JSONValue) -> [UInt8] {
            hasOnlyLines && hasLines
                ? Self.lines(value, indent)
                : JSONLayout.inline(value, indent: indent, column: column, staying: !hasLines)
        }

        private static func lines(_ value: JSONValue, _ indent: Int) -> [UInt8] {
            let margin = repeatElement(UInt8(ascii: " "), count: 2 * indent)
            return Array(
                value.utf8(.pretty).split(separator: JSONLayout.lineFeed).joined(
                    separator: [JSONLayout.lineFeed] + margin
                )
            )
        }
    }

    /// The text of ``fitted``, and the number of bytes that were written for lines that turned out too long.
    static func layout(_ value: JSONValue) -> (bytes: [UInt8], discarded: Int) {
        var bytes: [UInt8] = []
        var discarded = 0
        append(value, indent: 0, column: 0, staying: false, to: &bytes, &discarded)
        bytes.append(lineFeed)
        return (bytes, discarded)
    }

    private static func append(
        _ value: JSONValue,
        indent: Int,
        column: Int,
        staying: Bool = true,
        to bytes: inout [UInt8],
        _ discarded: inout Int
    ) {
        if staying {
            let start = bytes.count
            if appendLine(value, room: width - column - 1, to: &bytes) { return }
            discarded += bytes.count - start
            bytes.removeSubrange(start...)
        }
        switch value.content {
        case .array(let elements) where !elements.isEmpty:
            bytes.append(UInt8(ascii: "["))
            for (number, element) in elements.enumerated() {
                breakLine(number, indent + 1, &bytes)
                append(element, indent: indent + 1, column: 2 * (indent + 1), to: &bytes, &discarded)
            }
            breakLine(0, indent, &bytes)
            bytes.append(UInt8(ascii: "]"))
        case .object(let object) where !object.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (number, member) in object.members.enumerated() {
                breakLine(number, indent + 1, &bytes)
                let start = bytes.count
                JSONWriter.append(quoted: member.name, to: &bytes)
                bytes += Array(": ".utf8)
                let column = 2 * (indent + 1) + bytes.count - start
                append(member.value, indent: indent + 1, column: column, to: &bytes, &discarded)
            }
            breakLine(0, indent, &bytes)
            bytes.append(UInt8(ascii: "}"))
        default: JSONWriter().append(value, to: &bytes)
        }
    }

    /// Writes a value on one line as far as the room goes; returns whether it went far enough.
    ///
    /// Stops at the end of the room, so that laying out a document costs no more than its length times the width.
    private static func appendLine(_ value: JSONValue, room: Int, to bytes: inout [UInt8]) -> Bool {
        // Every value takes a byte, so no bracket is written after the end.
        guard room > 0 else { return false }
        let end = bytes.count + room
        if let text = value.string, text.utf8.count > room { return false }
        switch value.content {
        case .array(let elements) where !elements.isEmpty:
            bytes.append(UInt8(ascii: "["))
            for (number, element) in elements.enumerated() {
                if number > 0 { bytes += Array(", ".utf8) }
                guard appendLine(element, room: end - bytes.count - 1, to: &bytes) else { return false }
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object) where !object.isEmpty:
            bytes += Array("{ ".utf8)
            for (number, member) in object.members.enumerated() {
                if number > 0 { bytes += Array(", ".utf8) }
                JSONWriter.append(quoted: member.name, to: &bytes)
                bytes += Array(": ".utf8)
                guard appendLine(member.value, room: end - bytes.count - 2, to: &bytes) else { return false }
            }
            bytes += Array(" }".utf8)
        default: JSONWriter().append(value, to: &bytes)
        }
        return bytes.count <= end
    }

    private static func breakLine(_ number: Int, _ indent: Int, _ bytes: inout [UInt8]) {
        if number > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(lineFeed)
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * indent)
    }

    private static let lineFeed = UInt8(ascii: "\n")
}
