/// Turns the tree of an expression into a program.
struct ProgramCompiler {
    /// The limit of a program's length: counted repetitions are written out.
    static let mostInstructions = 100_000

    private let parsed: ParsedPattern
    private let readsForwards: Bool
    private var program = Program()
    private var indexOfSet: [ScalarSet: Int32] = [:]

    private init(_ parsed: ParsedPattern, readsForwards: Bool) {
        self.parsed = parsed
        self.readsForwards = readsForwards
        program.registerCount = 2 * parsed.groupCount
    }

    /// Compiles an expression.
    ///
    /// - Parameter readsForwards: whether the bodies of lookbehinds, too, are to be read from left to right, as automata
    ///   read them.
    static func compile(_ parsed: ParsedPattern, readsForwards: Bool = false) throws(ECMAPatternError) -> Program {
        var compiler = ProgramCompiler(parsed, readsForwards: readsForwards)
        try compiler.add(parsed.root, backwards: false)
        compiler.add(.match)
        compiler.program.isAnchored = compiler.program.findsOnlyAtStart()
        return compiler.program
    }

    private var end: Int32 { Int32(program.instructions.count) }

    private mutating func add(_ instruction: Instruction) { program.instructions.append(instruction) }

    private mutating func add(_ node: PatternNode, backwards: Bool) throws(ECMAPatternError) {
        switch node.kind {
        case .sequence(let parts):
            for index in parts.indices {
                try add(parts[backwards ? parts.count - 1 - index : index], backwards: backwards)
            }
        case .alternatives(let choices):
            try add(alternatives: choices, backwards: backwards)
        case .member(let set):
            add(.take(set: index(of: set), backwards: backwards))
        case .assertion(let assertion):
            add(.assert(assertion))
        case .capture(let group, let body):
            let registers = (Int32(2 * group - 2), Int32(2 * group - 1))
            add(.save(backwards ? registers.1 : registers.0))
            try add(body, backwards: backwards)
            add(.save(backwards ? registers.0 : registers.1))
        case .repetition(let repetition, let body):
            try add(repetition, of: body, backwards: backwards)
        case .look(let look, let body):
            program.hasLookarounds = true
            let start = end
            add(.match)
            try add(body, backwards: look.behind && !readsForwards)
            add(.match)
            program.instructions[Int(start)] = .look(behind: look.behind, negated: look.negated, end: end)
        case .backreference(let reference, let ignoringCase):
            let list = Int32(program.groupLists.count)
            program.groupLists.append(parsed.groups(of: reference))
            add(.backreference(list: list, ignoringCase: ignoringCase, backwards: backwards))
        }
    }

    private mutating func index(of set: ScalarSet) -> Int32 {
        if let index = indexOfSet[set] { return index }
        let index = Int32(program.sets.count)
        indexOfSet[set] = index
        program.sets.append(set)
        return index
    }

    private mutating func add(alternatives: [PatternNode], backwards: Bool) throws(ECMAPatternError) {
        var jumps: [Int] = []
        for choice in alternatives.dropLast() {
            let split = end
            add(.match)
            try add(choice, backwards: backwards)
            jumps.append(Int(end))
            add(.match)
            program.instructions[Int(split)] = .split(first: split + 1, second: end)
        }
        if let last = alternatives.last { try add(last, backwards: backwards) }
        for jump in jumps { program.instructions[jump] = .jump(end) }
    }

    /// Writes the rounds that must be, and then those that may be (ECMA-262, section 22.2.2.3.1).
    private mutating func add(
        _ repetition: PatternNode.Repetition,
        of body: PatternNode,
        backwards: Bool
    ) throws(ECMAPatternError) {
        for _ in 0..<repetition.minimum {
            let start = end
            try add(round: body, of: repetition, backwards: backwards)
            // However often nothing is repeated, it stays nothing.
            if end == start { return }
        }
        let register = Int32(program.registerCount)
        program.registerCount += 1
        guard let maximum = repetition.maximum else {
            let split = end
            guard try add(optionalRound: body, of: repetition, register: register, backwards: backwards) else { return }
            add(.jump(split))
            program.instructions[Int(split)] = .split(repetition, inside: split + 1, after: end)
            return
        }
        var splits: [Int32] = []
        for _ in 0..<(maximum - repetition.minimum) {
            splits.append(end)
            guard try add(optionalRound: body, of: repetition, register: register, backwards: backwards) else { return }
        }
        for split in splits {
            program.instructions[Int(split)] = .split(repetition, inside: split + 1, after: end)
        }
    }

    /// Writes a place for a split, and a round that must not be empty; or nothing when the round itself is nothing.
    private mutating func add(
        optionalRound body: PatternNode,
        of repetition: PatternNode.Repetition,
        register: Int32,
        backwards: Bool
    ) throws(ECMAPatternError) -> Bool {
        let start = end
        add(.match)
        let canBeEmpty = body.lengths.least == 0
        if canBeEmpty { add(.save(register)) }
        let startOfRound = end
        try add(round: body, of: repetition, backwards: backwards)
        guard end > startOfRound else {
            program.instructions.removeSubrange(Int(start)...)
            return false
        }
        if canBeEmpty { add(.requireProgress(register)) }
        return true
    }

    private mutating func add(
        round body: PatternNode,
        of repetition: PatternNode.Repetition,
        backwards: Bool
    ) throws(ECMAPatternError) {
        if !repetition.groups.isEmpty {
            let first = Int32(2 * repetition.groups.lowerBound - 2)
            add(.forget(from: first, to: first + Int32(2 * repetition.groups.count)))
        }
        try add(body, backwards: backwards)
        guard end <= ProgramCompiler.mostInstructions else {
            throw ECMAPatternError(
                "the repetitions from here on make the expression too large",
                at: repetition.offset,
                isLimit: true
            )
        }
    }
}

extension Instruction {
    fileprivate static func split(_ repetition: PatternNode.Repetition, inside: Int32, after: Int32) -> Instruction {
        repetition.isLazy ? .split(first: after, second: inside) : .split(first: inside, second: after)
    }
}

/// A compiled expression.
struct Program: Sendable {
    var instructions: [Instruction] = []
    var sets: [ScalarSet] = []
    /// For each backreference the groups that it may mean.
    var groupLists: [[Int]] = []
    /// Two registers for each group, from group 1 on, and then one for each loop.
    var registerCount = 0
    var hasLookarounds = false
    var hasBackreferences: Bool { !groupLists.isEmpty }

    /// A Boolean value that indicates whether the expression can match only from the beginning of a text.
    var isAnchored = false

    /// Returns whether `^` is on every way to the first character.
    func findsOnlyAtStart() -> Bool {
        var seen = [Bool](repeating: false, count: instructions.count)
        var open = [0]
        while let at = open.popLast() {
            if seen[at] { continue }
            seen[at] = true
            switch instructions[at] {
            case .match, .take, .backreference: return false
            case .assert(.start): break
            case .assert, .save, .forget, .requireProgress: open.append(at + 1)
            case .jump(let target): open.append(Int(target))
            case .split(let first, let second): open += [Int(first), Int(second)]
            case .look(_, _, let end): open.append(Int(end))
            }
        }
        return true
    }
}

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
    /// Fails when the position is the one in a register: an iteration that takes nothing does not count.
    case requireProgress(Int32)
    /// Tries what follows up to its `match`, and continues at `end`.
    case look(behind: Bool, negated: Bool, end: Int32)
    case backreference(list: Int32, ignoringCase: Bool, backwards: Bool)
}
