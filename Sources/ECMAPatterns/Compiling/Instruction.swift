/// One step of a compiled expression.
enum Instruction: Sendable {
    /// The expression, or the inside of a lookaround, has matched.
    case match
    /// Takes one character out of a set, or the one before when the expression is read backwards.
    case take(set: Int32, backwards: Bool)
    case jump(Int32)
    /// Tries one way first, and the other when that fails.
    case split(first: Int32, second: Int32)
    case assert(PatternNode.Assertion)
    /// Notes the position in a register.
    case save(Int32)
    /// Forgets what the groups of some registers matched.
    case forget(from: Int32, to: Int32)
    /// Fails when the position is the one in a register: a round that takes nothing is no round.
    case requireProgress(Int32)
    /// Tries what follows up to its `match`, and goes on at `end`.
    case look(behind: Bool, negated: Bool, end: Int32)
    case backreference(list: Int32, ignoringCase: Bool, backwards: Bool)
}
