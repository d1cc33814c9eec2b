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
        case look(Look, PatternNode)
        /// What a group matched, or whichever of the groups that share a name.
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

    static func look(_ look: Look, _ body: PatternNode) -> PatternNode {
        PatternNode(kind: .look(look, body), lengths: .zero)
    }

    static func backreference(to reference: Reference, ignoringCase: Bool) -> PatternNode {
        PatternNode(kind: .backreference(to: reference, ignoringCase: ignoringCase), lengths: .zero)
    }
}
