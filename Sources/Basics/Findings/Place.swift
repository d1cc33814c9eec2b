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
        if let pointer, parts.isEmpty || isFarRight && !pointer.isEmpty {
            parts.append(pointer.isEmpty ? "the whole document" : pointer)
        }
        if let operation { parts.append(operation) }
        if let exchange { parts.append("exchange \(exchange)") }
        return parts.joined(separator: ": ")
    }
}

extension Place {
    /// A Boolean value that indicates whether a reader could hardly find the column, as in a document without line breaks.
    private var isFarRight: Bool { (position?.column ?? 0) > 200 }

    /// Reads a place as it is printed: `file:line:column` or a file alone, then after colons and spaces a pointer and an
    /// operation, if it has them.
    package init(reading text: String) {
        let end = text.utf8.indices.first { text.utf8[$0...].starts(with: ": ".utf8) }
        let file = end.map { text[..<$0] } ?? text[...]
        var operation = end.map { String(text[$0...].dropFirst(2)) }
        var pointer: String?
        if let rest = operation, rest.utf8.first == UInt8(ascii: "/") {
            let end = rest.utf8.indices.first { rest.utf8[$0...].starts(with: ": ".utf8) }
            pointer = end.map { String(rest[..<$0]) } ?? rest
            operation = end.map { String(rest[$0...].dropFirst(2)) }
        }
        let parts = file.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 2, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1]) else {
            self.init(file: String(file), pointer: pointer, operation: operation)
            return
        }
        self.init(
            file: parts.dropLast(2).joined(separator: ":"),
            position: TextPosition(line: line, column: column),
            pointer: pointer,
            operation: operation
        )
    }
}

/// A second place that a finding mentions, and what is to be seen there.
///
/// A fixture that its contract does not allow is found in the fixture; the contract's sentence stands elsewhere.
package struct RelatedPlace: Sendable, Hashable {
    package var place: Place
    /// A few words without a closing full stop, such as "this is the requirement in the contract".
    package var message: String

    package init(_ place: Place, _ message: String) {
        self.place = place
        self.message = message
    }
}

extension RelatedPlace: CustomStringConvertible {
    /// The line that follows a finding's own: `file:line:column: note: …`.
    package var description: String { "\(place): note: \(message)" }
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
