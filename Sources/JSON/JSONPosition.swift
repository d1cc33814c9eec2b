package import Basics

/// Where a value or a member's name begins: the document, and the line and column an editor would show.
///
/// Twelve bytes, because every value carries one.
package struct JSONPosition: Sendable, Hashable {
    /// The number that the caller gave the document, so that a tree merged from several files can still point back.
    package var document: Int32
    /// Counts from one, a line ending at LF, CR or CR LF; zero when the value was made in code.
    package var line: Int32
    /// Counts Unicode scalars from one; zero when the value was made in code.
    package var column: Int32

    package init(document: Int32 = 0, line: Int32, column: Int32) {
        self.document = document
        self.line = line
        self.column = column
    }

    /// The position of values that no document holds.
    package static var unknown: JSONPosition { JSONPosition(line: 0, column: 0) }

    /// Whether the value was read from a document.
    package var isKnown: Bool { line > 0 }

    /// Line and column as a finding's place wants them.
    package var text: TextPosition { TextPosition(line: Int(line), column: Int(column)) }
}

extension JSONPosition: CustomStringConvertible {
    package var description: String { "\(line):\(column)" }
}
