package import Basics

/// A parsed text: its value, and the names that were there more than once.
package struct JSONDocument: Sendable {
    package var root: JSONValue
    /// Repeated names in the order of the text, the first thousand of them; empty when they are refused.
    package var duplicates: [DuplicateName]

    package init(root: JSONValue, duplicates: [DuplicateName] = []) {
        self.root = root
        self.duplicates = duplicates
    }
}

/// A member's name that its object has already.
///
/// RFC 8259, section 4, leaves to the receiver what such an object means, so two programs may read two meanings.
package struct DuplicateName: Sendable {
    package var name: String
    /// Where the name is repeated.
    package var position: JSONPosition
    /// Where it stands for the first time.
    package var firstPosition: JSONPosition

    package init(name: String, position: JSONPosition, firstPosition: JSONPosition) {
        self.name = name
        self.position = position
        self.firstPosition = firstPosition
    }

    /// What was found and which value counts.
    package var sentence: String {
        "the name \(JSONSyntaxError.shown(name)) is repeated; it stands at \(firstPosition) already and the last value counts"
    }
}

extension DuplicateName {
    /// The warning for a text that is used all the same.
    package func finding(in file: String? = nil) -> Finding {
        Finding(.warning, id: "json/duplicate-name", sentence, at: Place(file: file, position: position.text))
    }
}
