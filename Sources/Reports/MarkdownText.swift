import Basics

/// Any text, escaped for GitHub's Markdown.
enum MarkdownText {
    /// Running text: everything that could mean something gets a backslash (CommonMark, section 2.4).
    static func escaped(_ text: String) -> String {
        text.printable.replacing { "\\`*_[]<>|~&#@!".unicodeScalars.contains($0) ? "\\\($0)" : nil }
    }

    /// A code span, between more backticks than it holds in a row (CommonMark, section 6.1).
    static func code(_ text: String) -> String {
        let text = text.printable
        var (longest, run) = (0, 0)
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let padding = text.isEmpty || text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
        return fence + padding + text + padding + fence
    }

    /// A table's cell: a code span whose bars do not end the cell; nothing for an empty text.
    static func cell(_ text: String) -> String {
        text.isEmpty ? "" : code(text).replacing { $0 == "|" ? "\\|" : nil }
    }
}
