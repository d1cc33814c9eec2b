/// Markdown as text for a terminal: wrapped, tables in columns, code indented, links by their words.
///
/// Reads the part of Markdown that the guides use: headings, paragraphs, lists, block quotes, tables, fenced code and
/// HTML comments that take a whole line.
struct TerminalText {
    private(set) var text = ""
    private let columns: Int

    init(_ markdown: String, columns: Int) {
        self.columns = columns
        var lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.first {
            if line.hasPrefix("```") {
                addCode(from: &lines)
            } else if line.hasPrefix("|") {
                addTable(lines.prefix { $0.hasPrefix("|") })
                lines = lines.drop { $0.hasPrefix("|") }
            } else if line.hasPrefix("#") {
                add(Self.plain(line.drop { $0 == "#" || $0 == " " }).uppercased())
                lines.removeFirst()
            } else if line.isEmpty || line.hasPrefix("<!--") || line.hasPrefix("![") {
                if line.isEmpty { addEmptyLine() }
                lines.removeFirst()
            } else {
                addParagraph(from: &lines)
            }
        }
    }

    private mutating func add(_ line: String) { text += line + "\n" }

    /// At most one after another.
    private mutating func addEmptyLine() {
        if !text.isEmpty, !text.hasSuffix("\n\n") { text += "\n" }
    }

    /// Diagrams are left out: a terminal shows none.
    private mutating func addCode(from lines: inout ArraySlice<Substring>) {
        let isDiagram = lines.removeFirst().hasPrefix("```mermaid")
        let code = lines.prefix { !$0.hasPrefix("```") }
        if !isDiagram { for line in code { add(line.isEmpty ? "" : "    \(line)") } }
        lines = lines.dropFirst(code.count + 1)
    }

    /// A paragraph, or an item of a list with its further lines below its words.
    private mutating func addParagraph(from lines: inout ArraySlice<Substring>) {
        let first = lines.removeFirst()
        let indent = first.prefix { $0 == " " }.count
        let mark = Self.mark(of: first.dropFirst(indent))
        var words = first.dropFirst(indent + mark.count).description
        while let line = lines.first, !Self.beginsBlock(line) {
            words += " " + line.drop { $0 == " " || $0 == ">" }
            lines.removeFirst()
        }
        let start = String(repeating: " ", count: indent) + mark
        let rest = String(repeating: " ", count: indent + mark.count)
        let wrapped = Self.wrap(Self.plain(words[...]), to: columns - start.count)
        for (number, line) in wrapped.enumerated() { add((number == 0 ? start : rest) + line) }
    }

    private static func beginsBlock(_ line: Substring) -> Bool {
        line.isEmpty || ["```", "|", "#", "<!--"].contains { line.hasPrefix($0) }
            || !mark(of: line.drop { $0 == " " }).isEmpty && !line.hasPrefix(">")
    }

    /// `- `, `1. ` or `> ` at the beginning.
    private static func mark(of line: Substring) -> String {
        if line.hasPrefix("- ") || line.hasPrefix("> ") { return String(line.prefix(2)) }
        let digits = line.prefix { "0"..."9" ~= $0 }
        return !digits.isEmpty && line.dropFirst(digits.count).hasPrefix(". ") ? digits + ". " : ""
    }

    /// Columns as wide as their cells, the widest narrowed until the row fits; cells are wrapped.
    private mutating func addTable(_ lines: ArraySlice<Substring>) {
        var rows = lines.map(Self.cells)
        guard rows.count > 1 else { return }
        rows.remove(at: 1)
        var widths = [Int](repeating: 1, count: rows.map(\.count).max() ?? 0)
        for row in rows { for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) } }
        let narrowest = 12
        while widths.reduce(2 * (widths.count - 1), +) > columns, let widest = widths.max(), widest > narrowest {
            widths = widths.map { $0 == widest ? $0 - 1 : $0 }
        }
        for (number, row) in rows.enumerated() {
            let cells = row.enumerated().map { Self.wrap($0.element, to: widths[$0.offset]) }
            for line in 0..<(cells.map(\.count).max() ?? 0) {
                let parts = cells.enumerated().map { column, cell in
                    let part = line < cell.count ? cell[line] : ""
                    return column == cells.count - 1 ? part : part.padded(to: widths[column])
                }
                add(parts.joined(separator: "  ").withoutTrailingSpaces)
            }
            if number == 0 { add(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")) }
        }
    }

    /// The cells of a row, between bars that are not escaped.
    private static func cells(_ line: Substring) -> [String] {
        var cells: [String] = [""]
        var isEscaped = false
        for character in line.dropFirst() {
            if character == "|", !isEscaped {
                cells.append("")
            } else {
                if isEscaped, character != "|" { cells[cells.count - 1] += "\\" }
                if character != "\\" { cells[cells.count - 1].append(character) }
            }
            isEscaped = character == "\\"
        }
        return cells.dropLast().map { plain($0[...]).trimmed }
    }

    /// Without the marks of emphasis, and links by their words.
    static func plain(_ text: Substring) -> String {
        var plain = ""
        var rest = text
        var isCode = false
        while let character = rest.first {
            if character == "`" { isCode.toggle() }
            if !isCode {
                if rest.hasPrefix("**") { rest.removeFirst(2); continue }
                if rest.hasPrefix("<br>") { rest.removeFirst(4); plain += " "; continue }
                if rest.hasPrefix("&nbsp;") { rest.removeFirst(6); plain += " "; continue }
                if character == "[", let link = link(at: rest) {
                    plain += self.plain(link.words) + (link.target.hasPrefix("http") ? " (\(link.target))" : "")
                    rest = rest[link.end...]
                    continue
                }
            }
            plain.append(character)
            rest.removeFirst()
        }
        return plain
    }

    /// `[words](target)` at the beginning of a text.
    private static func link(at text: Substring) -> (words: Substring, target: Substring, end: Substring.Index)? {
        guard let bracket = text.firstIndex(of: "]") else { return nil }
        let open = text.index(after: bracket)
        guard text[open...].hasPrefix("("), let close = text[open...].firstIndex(of: ")") else { return nil }
        return (text[..<bracket].dropFirst(), text[open..<close].dropFirst(), text.index(after: close))
    }

    /// Breaks a text between words; a word longer than a line is left whole.
    static func wrap(_ text: String, to width: Int) -> [String] {
        var lines = [""]
        var count = 0
        for word in text.split(separator: " ") {
            if count > 0, count + 1 + word.count > width {
                lines.append("")
                count = 0
            }
            lines[lines.count - 1] += count > 0 ? " \(word)" : "\(word)"
            count += word.count + (count > 0 ? 1 : 0)
        }
        return lines
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    fileprivate var withoutTrailingSpaces: String {
        let end = lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex
        return String(self[..<end])
    }

    fileprivate var trimmed: String { String(withoutTrailingSpaces.drop { $0 == " " }) }
}
