extension Place {
    /// Reads a place as it is printed: `file:line:column` or a file alone, and after a colon and a space an operation.
    package init(reading text: String) {
        let end = text.utf8.indices.first { text.utf8[$0...].starts(with: ": ".utf8) }
        let file = end.map { text[..<$0] } ?? text[...]
        let operation = end.map { String(text[$0...].dropFirst(2)) }
        let parts = file.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 2, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1]) else {
            self.init(file: String(file), operation: operation)
            return
        }
        self.init(
            file: parts.dropLast(2).joined(separator: ":"),
            position: TextPosition(line: line, column: column),
            operation: operation
        )
    }
}
