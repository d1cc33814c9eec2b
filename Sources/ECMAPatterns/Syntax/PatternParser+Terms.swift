extension PatternParser {
    /// Reads an assertion, or an atom with its quantifier.
    mutating func term() throws(ECMAPatternError) -> PatternNode {
        let groupsBefore = groupCount
        let start = position
        guard let first = next else { return .empty }
        switch first {
        case "^":
            position += 1
            return .assertion(modifiers.isMultiline ? .lineStart : .start)
        case "$":
            position += 1
            return .assertion(modifiers.isMultiline ? .lineEnd : .end)
        case "\\" where scalar(after: 1) == "b":
            position += 2
            return .assertion(.wordBoundary(ignoringCase: modifiers.ignoresCase))
        case "\\" where scalar(after: 1) == "B":
            position += 2
            return .assertion(.noWordBoundary(ignoringCase: modifiers.ignoresCase))
        default:
            break
        }
        let atom = try atom(first)
        if case .look = atom.kind { return atom }
        guard var repetition = try quantifier() else { return atom }
        repetition.groups = groupsBefore + 1..<groupCount + 1
        repetition.offset = start
        return .repetition(repetition, atom)
    }

    private mutating func atom(_ first: Unicode.Scalar) throws(ECMAPatternError) -> PatternNode {
        switch first {
        case "(":
            return try group()
        case ".":
            position += 1
            return .member(modifiers.dotMatchesAll ? .all : ScalarSet.lineTerminators.complement)
        case "[":
            return .member(try characterClass())
        case "\\":
            return try escape()
        case "*", "+", "?":
            throw nothingToRepeat()
        case "{":
            let start = position
            guard try quantifier() == nil else {
                position = start
                throw nothingToRepeat()
            }
        default:
            break
        }
        position += 1
        return .member(modifiers.widened(ScalarSet(first.value)))
    }

    private func nothingToRepeat() -> ECMAPatternError {
        let sign = next.map { String($0) } ?? ""
        return ECMAPatternError(
            "nothing stands before `\(sign)` that could be repeated; as a character it is written `\\\(sign)`",
            at: position
        )
    }

    /// Reads a quantifier if there is one; braces that are none are left to be characters.
    private mutating func quantifier() throws(ECMAPatternError) -> PatternNode.Repetition? {
        let start = position
        let minimum: Int
        let maximum: Int?
        if take("*") {
            (minimum, maximum) = (0, nil)
        } else if take("+") {
            (minimum, maximum) = (1, nil)
        } else if take("?") {
            (minimum, maximum) = (0, 1)
        } else if take("{") {
            guard let least = number() else {
                position = start
                return nil
            }
            let most = take(",") ? number() : least
            guard take("}") else {
                position = start
                return nil
            }
            (minimum, maximum) = (least, most)
        } else {
            return nil
        }
        if let maximum, maximum < minimum {
            throw ECMAPatternError("the most repetitions (\(maximum)) are fewer than the least (\(minimum))", at: start)
        }
        let isLazy = take("?")
        return PatternNode.Repetition(
            minimum: minimum,
            maximum: maximum,
            isLazy: isLazy,
            groups: 0..<0,
            offset: start
        )
    }
}
