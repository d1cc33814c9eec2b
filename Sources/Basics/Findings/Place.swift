/// Where a finding was made: in a file, in a document tree, in a contract's operation or in an exchange.
///
/// Every part is optional, because not every place has all of them.
package struct Place: Sendable, Hashable {
    /// The file's path as the user would write it.
    package var file: String?
    package var position: TextPosition?
    /// A JSON Pointer into the document (RFC 6901).
    package var pointer: String?
    /// A contract's operation, such as `POST /api/v2/auth/token`.
    package var operation: String?
    /// An exchange's number in the journal.
    package var exchange: Int?

    package init(
        file: String? = nil,
        position: TextPosition? = nil,
        pointer: String? = nil,
        operation: String? = nil,
        exchange: Int? = nil
    ) {
        self.file = file
        self.position = position
        self.pointer = pointer
        self.operation = operation
        self.exchange = exchange
    }
}

extension Place: CustomStringConvertible {
    package var description: String {
        var parts: [String] = []
        switch (file, position) {
        case (let file?, let position?): parts.append("\(file):\(position)")
        case (let file?, nil): parts.append(file)
        case (nil, let position?): parts.append("\(position)")
        case (nil, nil): break
        }
        if parts.isEmpty, let pointer { parts.append(pointer.isEmpty ? "the whole document" : pointer) }
        if let operation { parts.append(operation) }
        if let exchange { parts.append("exchange \(exchange)") }
        return parts.joined(separator: ": ")
    }
}

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

/// A place in a text, as editors show it: line and column both count from one, columns in Unicode scalars.
package struct TextPosition: Sendable, Hashable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension TextPosition: Comparable {
    package static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension TextPosition: CustomStringConvertible {
    package var description: String { "\(line):\(column)" }
}
