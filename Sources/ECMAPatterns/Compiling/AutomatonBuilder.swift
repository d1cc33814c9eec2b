/// Builds the automaton of a program, when it has one of reasonable size.
struct AutomatonBuilder {
    /// The limits of a table's size and of the steps to fill it: beyond them backtracking is cheaper.
    private static let mostTransitions = 1 << 16
    private static let mostSteps = 250_000

    /// The places where a program may be, and the character behind it.
    ///
    /// Assertions are judged when the next character is known.
    private struct State: Hashable {
        var places: [Int32]
        var before: AdjacentCharacter
    }

    private let program: Program
    private let alphabet: Alphabet
    private let interest: AdjacentCharacter
    private let neighbours: [AdjacentCharacter]
    /// A Boolean value that indicates whether each set has each symbol.
    private let membership: [[Bool]]

    private var numbers: [State: UInt32] = [:]
    /// The states in the order of their numbers, after the rejecting and the accepting one.
    private var states: [State] = []
    private var transitions: [UInt32] = []
    private var acceptsAtEnd = [false, true]
    private var steps = 0
    private var seen: [UInt32]
    private var round: UInt32 = 0

    static func build(_ program: Program) -> Automaton? {
        guard !program.hasLookarounds, !program.hasBackreferences else { return nil }
        var builder = AutomatonBuilder(program)
        return builder?.build()
    }

    private init?(_ program: Program) {
        self.program = program
        var interest: AdjacentCharacter = .edge
        for case .assert(let assertion) in program.instructions { interest.formUnion(assertion.interest) }
        var sets = program.sets
        if interest.contains(.lineEnd) { sets.append(.lineTerminators) }
        if interest.contains(.word) { sets.append(.wordCharacters) }
        if interest.contains(.wordInAnyCase) { sets.append(.wordCharactersInAnyCase) }
        guard let alphabet = Alphabet(of: sets) else { return nil }
        self.interest = interest
        self.alphabet = alphabet
        neighbours = alphabet.examples.map { AdjacentCharacter($0).intersection(interest) }
        membership = program.sets.map { set in alphabet.examples.map(set.contains) }
        seen = [UInt32](repeating: 0, count: program.instructions.count)
    }

    private mutating func build() -> Automaton? {
        let width = alphabet.symbolCount
        transitions = [UInt32](repeating: Automaton.dead, count: width)
        transitions += [UInt32](repeating: Automaton.accepting, count: width)
        let start = number(of: State(places: [0], before: .edge))
        var next = 0
        while next < states.count {
            let state = states[next]
            next += 1
            acceptsAtEnd.append(reach(from: state, after: .edge) == nil)
            var reached: [AdjacentCharacter: [Int32]?] = [:]
            for symbol in 0..<width {
                let after = neighbours[symbol]
                let places: [Int32]?
                if let known = reached[after] {
                    places = known
                } else {
                    places = reach(from: state, after: after)
                    reached[after] = .some(places)
                }
                transitions.append(places.map { step(from: $0, symbol) } ?? Automaton.accepting)
                guard steps <= AutomatonBuilder.mostSteps else { return nil }
            }
            guard transitions.count <= AutomatonBuilder.mostTransitions else { return nil }
        }
        return Automaton(alphabet: alphabet, transitions: transitions, acceptsAtEnd: acceptsAtEnd, start: start)
    }

    private mutating func number(of state: State) -> UInt32 {
        if let number = numbers[state] { return number }
        let number = UInt32(states.count + 2)
        numbers[state] = number
        states.append(state)
        return number
    }

    /// The instructions that take a character, as far as they can be reached without one; `nil` for a match.
    private mutating func reach(from state: State, after: AdjacentCharacter) -> [Int32]? {
        round += 1
        var open = state.places
        var found: [Int32] = []
        while let place = open.popLast() {
            if seen[Int(place)] == round { continue }
            seen[Int(place)] = round
            steps += 1
            switch program.instructions[Int(place)] {
            case .match: return nil
            case .take: found.append(place)
            case .jump(let target): open.append(target)
            case .split(let first, let second): open += [first, second]
            case .assert(let assertion):
                if assertion.holds(between: state.before, and: after) { open.append(place + 1) }
            case .save, .forget, .requireProgress: open.append(place + 1)
            case .look, .backreference: break
            }
        }
        return found
    }

    private mutating func step(from places: [Int32], _ symbol: Int) -> UInt32 {
        steps += places.count
        var next: [Int32] = []
        for place in places {
            if case .take(let set, _) = program.instructions[Int(place)], membership[Int(set)][symbol] {
                next.append(place + 1)
            }
        }
        if !program.isAnchored { next.append(0) }
        guard !next.isEmpty else { return Automaton.dead }
        return number(of: State(places: next.sorted(), before: neighbours[symbol]))
    }
}

/// The code points, sorted into symbols: two have the same symbol when no set of a program distinguishes them.
struct Alphabet: Sendable {
    /// The symbol of each ASCII character.
    private(set) var ascii: [UInt16]
    /// The beginning of each stretch of one symbol, from 0 on, and its symbol.
    private(set) var starts: [UInt32]
    private(set) var symbols: [UInt16]
    /// A member of each symbol.
    private(set) var examples: [UInt32]

    var symbolCount: Int { examples.count }

    /// Sorts the code points, or gives up when there would be too many symbols or too much work.
    init?(of sets: [ScalarSet]) {
        var edges: Set<UInt32> = [0]
        for set in sets {
            for range in set.ranges {
                edges.insert(range.lowerBound)
                if range.upperBound < 0x10FFFF { edges.insert(range.upperBound + 1) }
            }
        }
        guard edges.count * sets.count <= 250_000 else { return nil }
        let starts = edges.sorted()
        var symbols = [UInt16](repeating: 0, count: starts.count)
        var count = 1
        for set in sets {
            // Each symbol that has members on both sides of the set becomes two.
            var split: [UInt16: UInt16] = [:]
            let inside = starts.indices.filter { set.contains(starts[$0]) }
            for index in inside {
                let symbol = symbols[index]
                if let other = split[symbol] {
                    symbols[index] = other
                } else {
                    guard count < 1 << 12 else { return nil }
                    split[symbol] = UInt16(count)
                    symbols[index] = UInt16(count)
                    count += 1
                }
            }
        }
        // A symbol that went over to another as a whole is left without members.
        var examples: [UInt32] = []
        var renamed: [UInt16: UInt16] = [:]
        for index in starts.indices {
            if renamed[symbols[index]] == nil {
                renamed[symbols[index]] = UInt16(examples.count)
                examples.append(starts[index])
            }
            symbols[index] = renamed[symbols[index]] ?? 0
        }
        self.starts = starts
        self.symbols = symbols
        self.examples = examples
        ascii = []
        ascii = (0..<128).map { symbol(of: $0) }
    }

    func symbol(of scalar: UInt32) -> UInt16 {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= scalar { low = middle } else { high = middle }
        }
        return symbols[low]
    }
}
