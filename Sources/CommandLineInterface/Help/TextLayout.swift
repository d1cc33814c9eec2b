/// Sets text within the width of a terminal that nobody has widened.
enum TextLayout {
    static let width = 80
    /// Labels longer than this stand on a line of their own.
    private static let widestLabel = 26

    /// Breaks a text between words.
    ///
    /// A word longer than a line is left whole, and a line that begins with a space is kept as it is.
    static func wrap(_ text: String, indent: Int = 0, hanging: Int? = nil) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let isVerbatim = paragraph.first == " "
            let words = isVerbatim ? [paragraph] : paragraph.split(separator: " ")
            var line = ""
            for word in words {
                if !line.isEmpty, line.count + 1 + word.count > width {
                    lines.append(line)
                    line = ""
                }
                if line.isEmpty {
                    line = String(repeating: " ", count: lines.isEmpty ? indent : hanging ?? indent) + word
                } else {
                    line += " " + word
                }
            }
            lines.append(line)
        }
        return lines
    }

    /// A table of two columns, the second of which is wrapped.
    static func columns(_ rows: [(label: String, text: String)]) -> [String] {
        let labels = rows.map(\.label.count).filter { $0 <= widestLabel }
        let column = 2 + (labels.max() ?? widestLabel) + 2
        return rows.flatMap { label, text in
            var lines = wrap(text, indent: column)
            if label.count <= column - 4, let first = lines.first {
                let gap = String(repeating: " ", count: column - 2 - label.count)
                lines[0] = "  \(label)\(gap)\(first.dropFirst(column))"
            } else {
                lines.insert("  \(label)", at: 0)
            }
            return lines
        }
    }
}
