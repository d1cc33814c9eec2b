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
