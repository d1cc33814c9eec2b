import Basics
import ECMAPatterns

/// A regular expression that a text has to match somewhere (ECMA-262, section 22.2).
package struct TextPattern: Sendable {
    private let pattern: ECMAPattern

    init(_ source: String) throws(ECMAPatternError) {
        pattern = try ECMAPattern(source)
    }

    /// The expression as it was written.
    package var source: String { pattern.source }

    /// Tells whether the text matches.
    ///
    /// - Throws: ``Undecided`` where that is not known after a million steps.
    package func isFound(in text: String) throws(Undecided) -> Bool {
        switch pattern.search(in: text) {
        case .match: true
        case .noMatch: false
        case .exhausted: throw Undecided(pattern: source)
        }
    }

    /// A text takes too many steps to compare with an expression, so it is not known whether it matches.
    package struct Undecided: Error {
        /// The expression.
        package var pattern: String
    }
}
