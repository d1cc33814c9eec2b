/// A part of an expression.
struct PatternNode: Sendable {
    indirect enum Kind: Sendable {
        case sequence([PatternNode])
        case alternatives([PatternNode])
        /// One character out of a set.
        case member(ScalarSet)
        case assertion(Assertion)
        case capture(Int, PatternNode)
        case repetition(Repetition, PatternNode)
        case look(Lookaround, PatternNode)
        /// The text that a group matched, or any of the groups that share a name.
        case backreference(to: Reference, ignoringCase: Bool)
    }

    let kind: Kind
    let lengths: LengthBounds

    static let empty = PatternNode(kind: .sequence([]), lengths: .zero)

    static func member(_ set: ScalarSet) -> PatternNode {
        PatternNode(kind: .member(set), lengths: LengthBounds(least: 1, most: 1))
    }

    static func assertion(_ assertion: Assertion) -> PatternNode {
        PatternNode(kind: .assertion(assertion), lengths: .zero)
    }

    static func sequence(_ parts: [PatternNode]) -> PatternNode {
        if parts.count == 1 { return parts[0] }
        return PatternNode(kind: .sequence(parts), lengths: parts.reduce(.zero) { $0 + $1.lengths })
    }

    static func alternatives(_ choices: [PatternNode]) -> PatternNode {
        guard let first = choices.first, choices.count > 1 else { return choices.first ?? .empty }
        return PatternNode(kind: .alternatives(choices), lengths: choices.reduce(first.lengths) { $0.or($1.lengths) })
    }

    static func capture(_ index: Int, _ body: PatternNode) -> PatternNode {
        PatternNode(kind: .capture(index, body), lengths: body.lengths)
    }

    static func repetition(_ repetition: Repetition, _ body: PatternNode) -> PatternNode {
        let lengths = body.lengths.times(repetition.minimum, repetition.maximum)
        return PatternNode(kind: .repetition(repetition, body), lengths: lengths)
    }

    static func look(_ look: Lookaround, _ body: PatternNode) -> PatternNode {
        PatternNode(kind: .look(look, body), lengths: .zero)
    }

    static func backreference(to reference: Reference, ignoringCase: Bool) -> PatternNode {
        PatternNode(kind: .backreference(to: reference, ignoringCase: ignoringCase), lengths: .zero)
    }
}

extension PatternNode {
    /// The expression without what a search that only asks whether there is a match need not take.
    ///
    /// A match may begin and end anywhere: of `[a-z]{1,64}x?` it is enough to find one letter. This keeps programs
    /// small where documents count to thousands.
    var trimmed: PatternNode {
        switch kind {
        case .repetition:
            return shortest
        case .sequence(var parts):
            if let first = parts.first { parts[0] = first.shortest }
            if let last = parts.last { parts[parts.count - 1] = last.shortest }
            return .sequence(parts)
        default:
            return self
        }
    }

    /// The part with as few repetitions as it needs, when it is one character repeated.
    private var shortest: PatternNode {
        guard case .repetition(var repetition, let body) = kind, case .member = body.kind else { return self }
        repetition.maximum = repetition.minimum
        return .repetition(repetition, body)
    }
}

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

    /// The number of times that a part is repeated.
    struct Repetition: Sendable {
        var minimum: Int
        /// `nil` for no end.
        var maximum: Int?
        var isLazy: Bool
        /// The groups inside, which each round forgets.
        var groups: Range<Int>
        /// Its offset, for errors.
        var offset: Int
    }

    /// A Boolean value that indicates whether a lookaround looks ahead or behind, for something or for its absence.
    struct Lookaround: Sendable {
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

/// An expression as a tree, with what the tree refers to.
struct ParsedPattern: Sendable {
    var root: PatternNode
    /// The number of groups that capture.
    var groupCount: Int
    /// The groups of each name: several may share one when they are in different alternatives.
    var groupsByName: [PatternNode.GroupName: [Int]]

    func groups(of reference: PatternNode.Reference) -> [Int] {
        switch reference {
        case .number(let number): [number]
        case .name(let name): groupsByName[name] ?? []
        }
    }
}

/// The least and the greatest number of scalars that a part of an expression matches.
///
/// `largest` means everything that is too much to count.
struct LengthBounds: Sendable {
    static let largest = 1 << 40
    static let zero = LengthBounds(least: 0, most: 0)

    var least: Int
    var most: Int

    /// One part after the other.
    static func + (left: LengthBounds, right: LengthBounds) -> LengthBounds {
        LengthBounds(least: min(left.least + right.least, largest), most: min(left.most + right.most, largest))
    }

    /// One part or the other.
    func or(_ other: LengthBounds) -> LengthBounds {
        LengthBounds(least: min(least, other.least), most: max(most, other.most))
    }

    /// A part several times, without end when `maximum` is `nil`.
    func times(_ minimum: Int, _ maximum: Int?) -> LengthBounds {
        LengthBounds(
            least: LengthBounds.product(least, minimum),
            most: maximum.map { LengthBounds.product(most, $0) } ?? (most == 0 ? 0 : LengthBounds.largest)
        )
    }

    private static func product(_ left: Int, _ right: Int) -> Int {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? largest : min(product, largest)
    }
}
