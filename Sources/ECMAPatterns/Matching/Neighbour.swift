/// What assertions ask about the character on one side of a position.
struct Neighbour: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// There is none: the text begins or ends here.
    static let edge = Neighbour(rawValue: 1)
    static let lineEnd = Neighbour(rawValue: 2)
    static let word = Neighbour(rawValue: 4)
    static let wordInAnyCase = Neighbour(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ scalar: UInt32) {
        self = []
        if ScalarSet.lineTerminators.contains(scalar) { insert(.lineEnd) }
        if ScalarSet.wordCharacters.contains(scalar) { insert(.word) }
        if ScalarSet.wordCharactersInAnyCase.contains(scalar) { insert(.wordInAnyCase) }
    }
}

extension PatternNode.Assertion {
    /// What the assertion asks about its neighbours.
    var interest: Neighbour {
        switch self {
        case .start, .end: .edge
        case .lineStart, .lineEnd: [.edge, .lineEnd]
        case .wordBoundary(let ignoringCase), .noWordBoundary(let ignoringCase): ignoringCase ? .wordInAnyCase : .word
        }
    }

    func holds(between before: Neighbour, and after: Neighbour) -> Bool {
        switch self {
        case .start: before.contains(.edge)
        case .end: after.contains(.edge)
        case .lineStart: !before.isDisjoint(with: [.edge, .lineEnd])
        case .lineEnd: !after.isDisjoint(with: [.edge, .lineEnd])
        case .wordBoundary: before.isDisjoint(with: interest) != after.isDisjoint(with: interest)
        case .noWordBoundary: before.isDisjoint(with: interest) == after.isDisjoint(with: interest)
        }
    }
}
