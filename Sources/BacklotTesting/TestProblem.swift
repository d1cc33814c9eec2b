/// Why nothing could be tested.
public struct TestProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was found and what would be right.
    public let description: String

    init(_ sentence: String) {
        description = sentence
    }
}
