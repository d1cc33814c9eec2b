/// What is wrong in a script or at one of its lines, as a person is told it.
struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
    var file: String
    var line: Int
    /// A sentence without a closing full stop.
    var sentence: String

    var description: String { "\(file):\(line): \(sentence)" }
}
