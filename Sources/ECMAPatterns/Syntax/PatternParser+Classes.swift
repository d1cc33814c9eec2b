extension PatternParser {
    /// One thing in the brackets: a character, which may begin or end a range, or many.
    private enum ClassAtom {
        case character(UInt32)
        case many(ScalarSet)

        var ranges: [ClosedRange<UInt32>] {
            switch self {
            case .character(let character): [character...character]
            case .many(let set): set.ranges
            }
        }
    }

    /// Reads a class, from its opening bracket to its closing one.
    mutating func characterClass() throws(ECMAPatternError) -> ScalarSet {
        let start = position
        position += 1
        let negated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while let next, next != "]" {
            let place = position
            let first = try classAtom()
            guard self.next == "-", let end = scalar(after: 1), end != "]" else {
                ranges += first.ranges
                continue
            }
            position += 1
            let last = try classAtom()
            if case .character(let lower) = first, case .character(let upper) = last {
                guard lower <= upper else {
                    throw ECMAPatternError("the range that begins here ends before its beginning", at: place)
                }
                ranges.append(lower...upper)
            } else {
                // `[\w-.]`, which Annex B.1.2 reads as both sides and the hyphen.
                ranges += first.ranges + [0x2D...0x2D] + last.ranges
            }
        }
        guard take("]") else {
            throw ECMAPatternError("the class that opens here is never closed by `]`", at: start)
        }
        let set = modifiers.widened(ScalarSet(ranges))
        return negated ? set.complement : set
    }

    private mutating func classAtom() throws(ECMAPatternError) -> ClassAtom {
        let start = position
        guard take("\\") else {
            position += 1
            return .character(scalars[start].value)
        }
        if take("b") { return .character(0x08) }
        if let set = try setEscape(at: start) { return .many(set) }
        return .character(try characterEscape(at: start))
    }
}
