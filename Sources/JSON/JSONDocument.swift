package import Basics

/// A parsed text: its value, and the names that were there more than once.
package struct JSONDocument: Sendable {
    package var root: JSONValue
    /// Repeated names in the order of the text, the first thousand of them; empty when they are refused.
    package var duplicates: [DuplicateName]
}

/// A member's name that its object has already.
///
/// RFC 8259, section 4, leaves to the receiver what such an object means, so two programs may read two meanings.
package struct DuplicateName: Sendable {
    package var name: String
    /// The position of the repetition.
    package var position: JSONPosition
    /// The position of the first occurrence.
    package var firstPosition: JSONPosition

    /// The finding and the value that counts.
    package var sentence: String {
        "the name \(JSONSyntaxError.shown(name)) is repeated (first at \(firstPosition)); the last value is used"
    }
}

extension DuplicateName {
    /// The warning for a text that is used nevertheless.
    package func finding(in file: String? = nil) -> Finding {
        Finding(.warning, id: "json/duplicate-name", sentence, at: Place(file: file, position: position.text))
    }
}
