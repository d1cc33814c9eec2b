import Basics

/// Reads JSON text strictly by RFC 8259.
///
/// Nothing that the grammar forbids is let pass: no comments, no trailing commas, no byte order mark, no invalid
/// UTF-8, no lone surrogates. A text that is not valid JSON gives an error with its place, never a trap, however it is
/// made.
package struct JSONParser: Sendable {
    /// The treatment of an object with a repeated name.
    package enum DuplicateNames: Sendable, Hashable {
        /// An error: right for files that are written by hand.
        case refused
        /// The last value counts, at the first one's place, and the document records it: right for traffic.
        case lastWins
    }

    /// The depth above which a caller's limit is not used: a tree is freed recursively, on the current stack.
    package static let depthLimit = 1_024

    /// The number written into every position.
    package var document: Int32
    /// The maximum nesting of arrays and objects, at most ``depthLimit``.
    package var maximumDepth: Int
    package var duplicateNames: DuplicateNames

    package init(document: Int32 = 0, maximumDepth: Int = 512, duplicateNames: DuplicateNames = .refused) {
        self.document = document
        self.maximumDepth = maximumDepth
        self.duplicateNames = duplicateNames
    }

    /// Reads one value and white space around it; anything else is an error.
    ///
    /// - Complexity: O(*n*) for *n* bytes, also for texts made to be slow.
    package func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
            var reader = JSONReader(buffer, as: self)
            return try reader.readDocument()
        }
    }

    /// Reads a text that is there as a string, such as one in a test.
    package func parse(_ text: String) throws(JSONSyntaxError) -> JSONDocument {
        try parse(Array(text.utf8))
    }
}
