/// One client of a script, from its first request to its last.
struct ScriptBlock: Sendable {
    enum Role: Sendable, Hashable {
        /// It does everything right.
        case good
        /// It has a bug, and is refused for each of these reasons.
        case bug(name: String, refusals: [Refusal])
    }

    var role: Role
    /// The variants of the story that it plays; none for the story itself.
    var variants: [String]
    var steps: [ScriptStep]
    var line: Int

    var title: String {
        switch role {
        case .good: "good"
        case .bug(let name, _): "bug \(name)"
        }
    }
}

/// Why a verdict is not a pass.
enum Refusal: Sendable, Hashable, CustomStringConvertible {
    /// A rule by its number, such as `B7`.
    case rule(String)
    /// An expectation of the story, from one.
    case expectation(Int)
    /// The story is silent, and the client was not.
    case silence

    var description: String {
        switch self {
        case .rule(let number): number
        case .expectation(let number): "expect \(number)"
        case .silence: "silent"
        }
    }
}
