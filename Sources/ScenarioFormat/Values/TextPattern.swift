import ECMAPatterns

/// A regular expression that a text has to match somewhere (ECMA-262, section 22.2).
package struct TextPattern: Sendable {
    /// Why a text is no regular expression.
    struct Problem: Error {
        /// One sentence without a final full stop.
        var message: String
        /// Where, counted in characters from one.
        var column: Int
    }

    private let pattern: ECMAPattern

    init(_ source: String) throws(Problem) {
        do {
            pattern = try ECMAPattern(source)
        } catch {
            throw Problem(message: error.message, column: error.offset + 1)
        }
    }

    /// The expression as it was written.
    package var source: String { pattern.source }

    /// Tells whether the text matches; one about which that is not known after a million steps does not.
    package func isFound(in text: String) -> Bool {
        pattern.search(in: text) == .match
    }
}
