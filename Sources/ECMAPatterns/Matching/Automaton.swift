/// A deterministic automaton that tells whether an expression matches somewhere in a text.
struct Automaton: Sendable {
    /// The state from which nothing can match.
    static let dead: UInt32 = 0
    /// The state in which something has matched.
    static let accepting: UInt32 = 1

    let alphabet: Alphabet
    /// The state after each state and symbol.
    let transitions: [UInt32]
    /// A Boolean value that indicates whether the text may end in each state.
    let acceptsAtEnd: [Bool]
    let start: UInt32

    func accepts(_ text: TextBytes) -> Bool {
        transitions.withUnsafeBufferPointer { transitions in
            alphabet.ascii.withUnsafeBufferPointer { ascii in
                var state = start
                var position = 0
                let width = alphabet.symbolCount
                while position < text.count {
                    if state <= Automaton.accepting { return state == Automaton.accepting }
                    let symbol: UInt16
                    let byte = text.bytes[position]
                    if byte < 0x80 {
                        symbol = ascii[Int(byte)]
                        position += 1
                    } else {
                        let (scalar, next) = text.scalar(at: position)
                        symbol = alphabet.symbol(of: scalar)
                        position = next
                    }
                    state = transitions[Int(state) * width + Int(symbol)]
                }
                return acceptsAtEnd[Int(state)]
            }
        }
    }
}

/// The UTF-8 of a text, read in either direction.
///
/// Positions are offsets of bytes at which a scalar begins.
struct TextBytes {
    let bytes: UnsafeBufferPointer<UInt8>

    var count: Int { bytes.count }

    /// The scalar that begins at a position below `count`, and where the next one does.
    @inline(__always)
    func scalar(at position: Int) -> (value: UInt32, next: Int) {
        let lead = UInt32(bytes[position])
        if lead < 0x80 { return (lead, position + 1) }
        if lead < 0xE0 { return ((lead & 0x1F) << 6 | trail(position + 1), position + 2) }
        if lead < 0xF0 {
            return ((lead & 0x0F) << 12 | trail(position + 1) << 6 | trail(position + 2), position + 3)
        }
        let high = (lead & 0x07) << 18 | trail(position + 1) << 12
        return (high | trail(position + 2) << 6 | trail(position + 3), position + 4)
    }

    /// The scalar that ends at a position above 0, and where it begins.
    func scalar(before position: Int) -> (value: UInt32, start: Int) {
        var start = position - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return (scalar(at: start).value, start)
    }

    @inline(__always)
    private func trail(_ position: Int) -> UInt32 { UInt32(bytes[position]) & 0x3F }
}

/// An expression that is nothing but runs of characters from the beginning of a text on, as in `^[a-z]{2,}-\d+$`.
///
/// The next character shows where each run ends, so that no choice has to be tried, and counting needs no room
/// however large the numbers are.
struct RunSequence: Sendable {
    private struct Run {
        var set: ScalarSet
        var least: Int
        var most: Int
    }

    private var runs: [Run] = []
    private var reachesEnd = false

    /// Reads the tree of an expression; `nil` when it is something else.
    init?(_ root: PatternNode) {
        guard case .sequence(let parts) = root.kind, case .assertion(.start)? = parts.first?.kind else { return nil }
        for part in parts.dropFirst() {
            guard !reachesEnd else { return nil }
            switch part.kind {
            case .member(let set):
                runs.append(Run(set: set, least: 1, most: 1))
            case .repetition(let repetition, let body):
                guard case .member(let set) = body.kind else { return nil }
                runs.append(Run(set: set, least: repetition.minimum, most: repetition.maximum ?? .max))
            case .assertion(.end):
                reachesEnd = true
            default:
                return nil
            }
        }
        guard runs.indices.allSatisfy(endsPlainly) else { return nil }
    }

    /// Returns whether no character could belong both to a run and to what follows it.
    private func endsPlainly(_ index: Int) -> Bool {
        let run = runs[index]
        guard run.least < run.most else { return true }
        for following in runs[(index + 1)...].prefix(16) {
            guard run.set.isDisjoint(with: following.set) else { return false }
            if following.least > 0 { return true }
        }
        return runs.count - index <= 16
    }

    func accepts(_ text: TextBytes) -> Bool {
        var position = 0
        for run in runs {
            var taken = 0
            while taken < run.most, position < text.count {
                let (scalar, next) = text.scalar(at: position)
                guard run.set.contains(scalar) else { break }
                position = next
                taken += 1
            }
            if taken < run.least { return false }
        }
        return !reachesEnd || position == text.count
    }
}

extension ScalarSet {
    fileprivate func isDisjoint(with other: ScalarSet) -> Bool {
        var (mine, theirs) = (ranges[...], other.ranges[...])
        while let left = mine.first, let right = theirs.first {
            if left.overlaps(right) { return false }
            if left.upperBound < right.upperBound { mine.removeFirst() } else { theirs.removeFirst() }
        }
        return true
    }
}

/// The properties of the character on one side of a position, for assertions.
struct AdjacentCharacter: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// No character: the text begins or ends here.
    static let edge = AdjacentCharacter(rawValue: 1)
    static let lineEnd = AdjacentCharacter(rawValue: 2)
    static let word = AdjacentCharacter(rawValue: 4)
    static let wordInAnyCase = AdjacentCharacter(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ scalar: UInt32) {
        self = []
        if ScalarSet.lineTerminators.contains(scalar) { insert(.lineEnd) }
        if ScalarSet.wordCharacters.contains(scalar) { insert(.word) }
        if ScalarSet.wordCharactersInAnyCase.contains(scalar) { insert(.wordInAnyCase) }
    }
}

extension PatternNode.Assertion {
    /// The properties of its neighbours that the assertion requires.
    var interest: AdjacentCharacter {
        switch self {
        case .start, .end: .edge
        case .lineStart, .lineEnd: [.edge, .lineEnd]
        case .wordBoundary(let ignoringCase), .noWordBoundary(let ignoringCase): ignoringCase ? .wordInAnyCase : .word
        }
    }

    func holds(between before: AdjacentCharacter, and after: AdjacentCharacter) -> Bool {
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
