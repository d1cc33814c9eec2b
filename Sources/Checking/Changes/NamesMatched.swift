/// The names that a regular expression of `patternProperties` matches, as far as its text tells.
enum NamesMatched: Equatable {
    case every
    case one(String)
    case some

    /// Expressions without an assertion that match the empty text, and so match in every text.
    private static let matchAll: Set<String> = ["", "^", "$", ".*", ".?", "(.*)", "[\\s\\S]*", "[^]*"]

    init(_ expression: String) {
        let name = expression.dropFirst().dropLast()
        if Self.matchAll.contains(expression) {
            self = .every
        } else if expression.hasPrefix("^"), expression.hasSuffix("$"), expression.utf8.count > 1,
            !name.contains(where: #"\^$.*+?()[]{}|/"#.contains)
        {
            self = .one(String(name))
        } else {
            self = .some
        }
    }

    var isOneName: Bool { if case .one = self { true } else { false } }
}
