extension PatternNode {
    /// Something that holds between two characters and takes none.
    enum Assertion: Sendable {
        case start
        case end
        case lineStart
        case lineEnd
        case wordBoundary(ignoringCase: Bool)
        case noWordBoundary(ignoringCase: Bool)
    }

    /// How often a part is repeated.
    struct Repetition: Sendable {
        var minimum: Int
        /// `nil` when there is no end.
        var maximum: Int?
        var isLazy: Bool
        /// The groups inside, which each round forgets.
        var groups: Range<Int>
        /// Where it is written, for errors.
        var offset: Int
    }

    /// Whether a lookaround looks ahead or behind, for something or for its absence.
    struct Look: Sendable {
        var behind: Bool
        var negated: Bool
    }

    /// The group that a backreference means.
    enum Reference: Sendable {
        case number(Int)
        case name(GroupName)
    }

    /// The name of a group, compared scalar by scalar.
    typealias GroupName = [Unicode.Scalar]
}
