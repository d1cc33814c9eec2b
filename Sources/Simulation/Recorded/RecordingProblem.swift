package import JSON

/// Why a document cannot be read as what happened in a session.
package struct RecordingProblem: Error, Sendable, Hashable {
    /// Where in the document; the whole of it where it is the root.
    package var pointer: JSONPointer
    /// What is wrong and what would be right, without the place.
    package var message: String

    package init(_ message: String, at pointer: JSONPointer = JSONPointer()) {
        self.message = message
        self.pointer = pointer
    }

    /// What is wrong, where, and what would be right, without a closing full stop.
    package var sentence: String {
        pointer.isRoot ? message : "\(pointer) \(message)"
    }
}
