/// Runs a program by trying one way after the other, with a budget of steps.
struct Backtracker {
    /// The next step when a way has failed.
    private enum BacktrackPoint {
        case tryFrom(instruction: Int32, position: Int)
        case restore(register: Int32, value: Int)
    }

    private let program: Program
    private let text: TextBytes
    private var budget: Int
    private var registers: [Int]
    private var backtrackPoints: [BacktrackPoint] = []
    private var visited: VisitedPlaces
    /// A Boolean value that indicates whether the outcome depends on what groups matched; else registers are not kept,
    /// and failed places are.
    private let remembersGroups: Bool

    init(_ program: Program, text: TextBytes, budget: Int) {
        self.program = program
        self.text = text
        self.budget = budget
        remembersGroups = program.hasBackreferences
        registers = remembersGroups ? [Int](repeating: -1, count: program.registerCount) : []
        visited = VisitedPlaces(
            instructions: remembersGroups ? 0 : program.instructions.count,
            positions: text.count + 1
        )
    }

    /// Tries every position in turn.
    mutating func search() -> ECMAPattern.Outcome {
        var start = 0
        while true {
            let outcome = run(from: 0, at: start)
            if outcome != .noMatch || program.isAnchored || start == text.count { return outcome }
            start = text.scalar(at: start).next
        }
    }

    /// Runs from an instruction to the `match` that belongs to it.
    ///
    /// It calls itself only as deep as lookarounds lie in each other.
    private mutating func run(from instruction: Int, at start: Int) -> ECMAPattern.Outcome {
        let base = backtrackPoints.count
        var at = instruction
        var position = start
        while true {
            budget -= 1
            if budget < 0 { return .exhausted }
            var fails = false
            switch program.instructions[at] {
            case .match:
                keepOnlyRegisters(since: base)
                return .match
            case .take(let set, let backwards):
                if let next = take(program.sets[Int(set)], at: position, backwards: backwards) {
                    (at, position) = (at + 1, next)
                } else {
                    fails = true
                }
            case .jump(let target):
                at = Int(target)
            case .split(let first, let second):
                if remembersGroups || visited.insert(at, position) {
                    backtrackPoints.append(.tryFrom(instruction: second, position: position))
                    at = Int(first)
                } else {
                    fails = true
                }
            case .assert(.start):
                fails = position > 0
                at += 1
            case .assert(.end):
                fails = position < text.count
                at += 1
            case .assert(let assertion):
                fails = !assertion.holds(between: neighbour(before: position), and: neighbour(after: position))
                at += 1
            case .save(let register):
                if remembersGroups { set(register, to: position) }
                at += 1
            case .forget(let from, let to):
                if remembersGroups {
                    budget -= Int(to - from)
                    for register in from..<to where registers[Int(register)] >= 0 { set(register, to: -1) }
                }
                at += 1
            case .requireProgress(let register):
                fails = remembersGroups && registers[Int(register)] == position
                at += 1
            case .look(_, let negated, let end):
                switch look(from: at + 1, at: position, negated: negated) {
                case .match: at = Int(end)
                case .noMatch: fails = true
                case .exhausted: return .exhausted
                }
            case .backreference(let list, let ignoringCase, let backwards):
                let groups = program.groupLists[Int(list)]
                if let next = repeated(groups, at: position, ignoringCase: ignoringCase, backwards: backwards) {
                    (at, position) = (at + 1, next)
                } else {
                    fails = true
                }
            }
            if fails {
                guard let (otherwise, place) = retreat(to: base) else { return .noMatch }
                (at, position) = (otherwise, place)
            }
        }
    }

    private mutating func look(from instruction: Int, at position: Int, negated: Bool) -> ECMAPattern.Outcome {
        let kept = visited.keepsTrail
        let trail = visited.trailLength
        let base = backtrackPoints.count
        visited.keepsTrail = !remembersGroups
        let outcome = run(from: instruction, at: position)
        visited.keepsTrail = kept
        guard outcome == .match else { return outcome == .exhausted ? .exhausted : negated ? .match : .noMatch }
        visited.forget(since: trail)
        if negated { _ = retreat(to: base) }
        return negated ? .noMatch : .match
    }

    /// The offset behind one character of a set.
    @inline(__always)
    private func take(_ set: ScalarSet, at position: Int, backwards: Bool) -> Int? {
        if backwards {
            guard position > 0 else { return nil }
            let (scalar, start) = text.scalar(before: position)
            return set.contains(scalar) ? start : nil
        }
        guard position < text.count else { return nil }
        let (scalar, next) = text.scalar(at: position)
        return set.contains(scalar) ? next : nil
    }

    private func neighbour(before position: Int) -> AdjacentCharacter {
        position == 0 ? .edge : AdjacentCharacter(text.scalar(before: position).value)
    }

    private func neighbour(after position: Int) -> AdjacentCharacter {
        position == text.count ? .edge : AdjacentCharacter(text.scalar(at: position).value)
    }

    private mutating func set(_ register: Int32, to value: Int) {
        backtrackPoints.append(.restore(register: register, value: registers[Int(register)]))
        registers[Int(register)] = value
    }

    /// Undoes what was done since the last choice, which it returns, or since the beginning.
    private mutating func retreat(to base: Int) -> (instruction: Int, position: Int)? {
        while backtrackPoints.count > base {
            switch backtrackPoints.removeLast() {
            case .tryFrom(let instruction, let position): return (Int(instruction), position)
            case .restore(let register, let value): registers[Int(register)] = value
            }
        }
        return nil
    }

    /// Drops the choices inside a lookaround that has matched, but not the way back to what the groups held before.
    private mutating func keepOnlyRegisters(since base: Int) {
        guard remembersGroups else {
            backtrackPoints.removeSubrange(base...)
            return
        }
        var kept = base
        for index in base..<backtrackPoints.count {
            if case .restore = backtrackPoints[index] {
                backtrackPoints[kept] = backtrackPoints[index]
                kept += 1
            }
        }
        backtrackPoints.removeSubrange(kept...)
    }

    /// The offset behind the text that a group matched; a group that matched nothing yet is the empty text.
    private mutating func repeated(
        _ groups: [Int],
        at position: Int,
        ignoringCase: Bool,
        backwards: Bool
    ) -> Int? {
        budget -= groups.count
        let matched = groups.first { registers[2 * $0 - 2] >= 0 && registers[2 * $0 - 1] >= 0 }
        guard let matched else { return position }
        let wanted = registers[2 * matched - 2]..<registers[2 * matched - 1]
        budget -= wanted.count
        return backwards
            ? backwardsRepeat(of: wanted, before: position, ignoringCase: ignoringCase)
            : repeated(wanted, at: position, ignoringCase: ignoringCase)
    }

    private func repeated(_ wanted: Range<Int>, at position: Int, ignoringCase: Bool) -> Int? {
        var (mine, theirs) = (position, wanted.lowerBound)
        while theirs < wanted.upperBound {
            guard mine < text.count else { return nil }
            let (left, nextMine) = text.scalar(at: mine)
            let (right, nextTheirs) = text.scalar(at: theirs)
            guard isSame(left, right, ignoringCase) else { return nil }
            (mine, theirs) = (nextMine, nextTheirs)
        }
        return mine
    }

    private func backwardsRepeat(of wanted: Range<Int>, before position: Int, ignoringCase: Bool) -> Int? {
        var (mine, theirs) = (position, wanted.upperBound)
        while theirs > wanted.lowerBound {
            guard mine > 0 else { return nil }
            let (left, startOfMine) = text.scalar(before: mine)
            let (right, startOfTheirs) = text.scalar(before: theirs)
            guard isSame(left, right, ignoringCase) else { return nil }
            (mine, theirs) = (startOfMine, startOfTheirs)
        }
        return mine
    }

    private func isSame(_ left: UInt32, _ right: UInt32, _ ignoringCase: Bool) -> Bool {
        left == right || ignoringCase && CaseFolding.fold(left) == CaseFolding.fold(right)
    }
}

/// The pairs of an instruction and a position from which the search has already failed.
///
/// Without backreferences nothing else decides what comes of a pair, so none has to be tried twice.
struct VisitedPlaces {
    /// The limit of bits that are kept for all pairs together.
    private static let mostBits = 1 << 23

    private let positions: Int
    private var bits: [UInt64]
    private var others: Set<Int> = []
    /// The notes, oldest first, while a lookaround is tried.
    private var trail: [Int] = []
    var keepsTrail = false

    init(instructions: Int, positions: Int) {
        self.positions = positions
        let (count, overflow) = instructions.multipliedReportingOverflow(by: positions)
        let fits = !overflow && count <= VisitedPlaces.mostBits
        bits = fits ? [UInt64](repeating: 0, count: (count + 63) / 64) : []
    }

    /// Notes a pair, and whether it is new.
    mutating func insert(_ instruction: Int, _ position: Int) -> Bool {
        let pair = instruction * positions + position
        if bits.isEmpty {
            guard others.insert(pair).inserted else { return false }
        } else {
            let mask: UInt64 = 1 << UInt64(pair & 63)
            guard bits[pair >> 6] & mask == 0 else { return false }
            bits[pair >> 6] |= mask
        }
        if keepsTrail { trail.append(pair) }
        return true
    }

    var trailLength: Int { trail.count }

    /// Takes back what was noted since: a lookaround that held does not rule out the places that it came through.
    mutating func forget(since length: Int) {
        for pair in trail[length...] {
            if bits.isEmpty { others.remove(pair) } else { bits[pair >> 6] &= ~(1 << UInt64(pair & 63)) }
        }
        trail.removeSubrange(length...)
    }
}
