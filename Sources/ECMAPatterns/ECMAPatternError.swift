/// Why a text is no regular expression.
package struct ECMAPatternError: Error, Hashable {
    /// What was found and what would be right, as a sentence without a closing full stop.
    package var message: String
    /// Where, in Unicode scalars from the beginning of the expression.
    package var offset: Int

    package init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}
