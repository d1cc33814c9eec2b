/// A regular expression of ECMAScript (ECMA-262, section 22.2, with the `u` flag), compiled once and matched in a
/// bounded number of steps.
package struct ECMAPattern: Sendable {
    /// What came of a search.
    package enum Outcome: Sendable, Hashable {
        case match
        case noMatch
        /// The budget of steps ran out before the answer was known.
        case exhausted
    }

    /// The steps that a search may take unless told otherwise.
    package static let defaultBudget = 1_000_000

    /// The expression as it was written.
    package let source: String

    /// Compiles an expression.
    ///
    /// - Throws: ``ECMAPatternError``, with the place in the expression and what would be right.
    package init(_ source: String) throws(ECMAPatternError) {
        self.source = source
    }

    /// Whether the expression matches anywhere in a text.
    ///
    /// - Parameter budget: the steps that the search may take; a step is constant work.
    package func search(in text: String, budget: Int = ECMAPattern.defaultBudget) -> Outcome {
        .noMatch
    }

    /// Makes a text that the expression matches, or `nil` when none was found.
    package func sample(using generator: inout some RandomNumberGenerator) -> String? {
        nil
    }
}
