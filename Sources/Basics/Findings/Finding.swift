/// A finding about a file, a request or a run, for a reader.
///
/// The loader, the lint, contracts, expectations and rules all produce this one type, so that one stream feeds
/// every report. A finding is data: its sentence is made by the rule, its layout in ``description``.
package struct Finding: Error, Sendable, Hashable {
    /// The severity of a finding.
    package enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
        /// For information; nothing is wrong.
        case note
        /// Probably not what was meant; the work goes on.
        case warning
        /// The input cannot be used, or a check failed.
        case error

        package static func < (left: Severity, right: Severity) -> Bool {
            left.weight < right.weight
        }

        private var weight: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    package var severity: Severity
    /// A stable name of the rule, in kebab case and grouped by a slash: `scenario/unknown-key`.
    package var id: String
    /// One sentence without a closing full stop: what was found and what would be right.
    package var message: String
    /// Where it was found, when it was found somewhere.
    package var place: Place?
    /// The remedy, as a sentence without a closing full stop.
    package var advice: String?
    /// Further places that it mentions; ``description`` leaves them to the reports.
    package var related: [RelatedPlace]
    /// A Boolean value that indicates whether the sentence names the exchange of the place, as those of rules do.
    package var namesExchange = false
    /// The numbers of all exchanges that show it, the place's first, if there are several.
    package var exchanges: [Int] = []
    /// The value that it is about, for those who compare findings; `nil` for one that is not about a value.
    package var subject: Subject?

    /// A value in a document that has several paths, as a fixture that two responses use.
    package struct Subject: Sendable, Hashable {
        /// The finding without the path to the value.
        package var statement: String

        package init(_ statement: String) {
            self.statement = statement
        }
    }

    package init(
        _ severity: Severity,
        id: String,
        _ message: String,
        at place: Place? = nil,
        advice: String? = nil,
        related: [RelatedPlace] = []
    ) {
        self.severity = severity
        self.id = id
        self.message = message
        self.place = place
        self.advice = advice
        self.related = related
    }
}

extension Finding: CustomStringConvertible {
    /// The line that compilers print: `file:line:column: error: sentence; advice [id]`.
    package var description: String {
        var text = shownPlace.map { "\($0): " } ?? ""
        text += "\(severity.rawValue): \(message)"
        if let advice { text += "; \(advice)" }
        return text + " [\(id)]"
    }
}

extension Finding {
    /// The place that is shown before the sentence: without an exchange that the sentence names; `nil` if nothing remains.
    package var shownPlace: Place? {
        var shown = place
        if namesExchange { shown?.exchange = nil }
        return shown == Place() ? nil : shown
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

/// Colours for a terminal, or none.
///
/// Control characters of painted text are escaped, so only our own colours reach a terminal.
package struct Paint: Sendable {
    package enum Colour: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
        case grey = "90"
        case bold = "1"
    }

    package var isColoured: Bool

    package init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    package func callAsFunction(_ colour: Colour, _ text: String) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text.printable)\u{1B}[0m" : text.printable
    }

    package func callAsFunction(_ severity: Finding.Severity, _ text: String) -> String {
        switch severity {
        case .note: self(.grey, text)
        case .warning: self(.yellow, text)
        case .error: self(.red, text)
        }
    }

    package func callAsFunction(_ finding: Finding) -> String {
        self(finding.severity, finding.description)
    }
}
