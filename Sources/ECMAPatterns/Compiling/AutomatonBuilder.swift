/// Makes the deterministic automaton of a program, each state when it is asked for.
///
/// A lookahead becomes a state as well, which a way through the program has to reach the end of: such states are the
/// duties of that way. Lookbehinds, whose bodies the program has forwards, run next to all other ways from the
/// beginning of the text on.
struct AutomatonBuilder {
    /// The limits of a table's size and of the steps to fill it: beyond them backtracking is cheaper.
    private static let mostTransitions = 1 << 16
    private static let mostSteps = 250_000

    /// The number of an instruction, and from bit 32 on that of the duties of the way that leads there.
    private typealias Place = UInt64

    /// The places where a program may be, and the character behind it.
    ///
    /// Assertions are judged when the next character is known.
    private struct State: Hashable {
        var places: [Place]
        var before: AdjacentCharacter
        /// A Boolean value that indicates whether the program also begins at each later character.
        var restarts: Bool
        /// The instructions at which lookbehinds are.
        var behind: [Int32] = []
    }

    /// The instructions that take a character, as far as they can be reached without one.
    private struct Reach {
        /// The program has matched.
        var isMatch = false
        var places: [Place] = []
        var behind: [Int32] = []
    }

    private struct ReachKey: Hashable {
        var state: UInt32
        var after: AdjacentCharacter
    }

    private let program: Program
    private let looks: Lookarounds
    private let alphabet: Alphabet
    private let neighbours: [AdjacentCharacter]
    /// A Boolean value that indicates whether each set has each symbol.
    private let membership: [[Bool]]

    private var numbers: [State: UInt32] = [:]
    /// The states in the order of their numbers, after the rejecting and the accepting one.
    private var states: [State] = []
    /// The states behind each state, ``unknown`` before they are asked for.
    private var transitions: [UInt32]
    private var ends: [Bool?] = [false, true]
    private var reaches: [ReachKey: Reach] = [:]
    /// Lists of lookaheads to meet: twice the number of a state, plus one where it must not match.
    private var duties: [[UInt32]] = [[]]
    private var dutyNumbers: [[UInt32]: Place] = [[]: 0]
    private var seen: [UInt32]
    private var round: UInt32 = 0
    /// The work so far.
    private(set) var steps = 0

    private static let unknown = UInt32.max

    /// The automaton with all its states, when the program has one of reasonable size.
    static func build(_ program: Program) -> Automaton? {
        guard !program.hasLookarounds, !program.hasBackreferences, let alphabet = Alphabet(of: sets(of: program)) else {
            return nil
        }
        var builder = AutomatonBuilder(program, alphabet)
        return builder.build()
    }

    /// The sets that an alphabet has to tell apart for a program.
    static func sets(of program: Program) -> [ScalarSet] {
        let interest = program.interest
        var sets = program.sets
        if interest.contains(.lineEnd) { sets.append(.lineTerminators) }
        if interest.contains(.word) { sets.append(.wordCharacters) }
        if interest.contains(.wordInAnyCase) { sets.append(.wordCharactersInAnyCase) }
        return sets
    }

    init(_ program: Program, _ alphabet: Alphabet) {
        self.program = program
        self.alphabet = alphabet
        looks = Lookarounds(program)
        let interest = program.interest
        neighbours = alphabet.examples.map { AdjacentCharacter($0).intersection(interest) }
        membership = program.sets.map { set in alphabet.examples.map(set.contains) }
        seen = [UInt32](repeating: 0, count: program.instructions.count)
        transitions = [UInt32](repeating: Automaton.dead, count: alphabet.symbolCount)
        transitions += [UInt32](repeating: Automaton.accepting, count: alphabet.symbolCount)
    }

    /// A Boolean value that indicates whether the automaton accepts nothing but what the program matches.
    ///
    /// A backreference counts as any text, and what asks for more than the automaton knows as met.
    var isExact: Bool { !program.hasBackreferences && looks.areReliable }

    private mutating func build() -> Automaton? {
        let start = self.start()
        var next = UInt32(2)
        while next < states.count + 2 {
            guard transitions.count <= Self.mostTransitions else { return nil }
            for symbol in 0..<alphabet.symbolCount {
                _ = state(after: next, symbol)
                guard steps <= Self.mostSteps else { return nil }
            }
            _ = acceptsEnd(in: next)
            next += 1
        }
        return Automaton(
            alphabet: alphabet,
            transitions: transitions,
            acceptsAtEnd: ends.map { $0 ?? false },
            start: start
        )
    }

    /// The state at the beginning of a text.
    mutating func start() -> UInt32 {
        number(of: State(places: [0], before: .edge, restarts: !program.isAnchored))
    }

    /// The state that a symbol leads to.
    mutating func state(after number: UInt32, _ symbol: Int) -> UInt32 {
        let index = Int(number) * alphabet.symbolCount + symbol
        if transitions[index] == Self.unknown { transitions[index] = step(from: number, symbol) }
        return transitions[index]
    }

    /// Returns whether the text may end in a state.
    mutating func acceptsEnd(in number: UInt32) -> Bool {
        if let known = ends[Int(number)] { return known }
        let reach = reach(from: number, after: .edge)
        var accepts = reach.isMatch
        for place in reach.places where !accepts {
            guard case .match = program.instructions[instruction(of: place)] else { continue }
            accepts = duties[Int(place >> 32)].allSatisfy { acceptsEnd(in: $0 >> 1) != ($0 & 1 == 1) }
        }
        ends[Int(number)] = accepts
        return accepts
    }

    private mutating func number(of state: State) -> UInt32 {
        if let number = numbers[state] { return number }
        let number = UInt32(states.count + 2)
        numbers[state] = number
        states.append(state)
        transitions += [UInt32](repeating: Self.unknown, count: alphabet.symbolCount)
        ends.append(nil)
        return number
    }

    private func instruction(of place: Place) -> Int { Int(place & 0xFFFF_FFFF) }

    private mutating func reach(from number: UInt32, after: AdjacentCharacter) -> Reach {
        let key = ReachKey(state: number, after: after)
        if let known = reaches[key] { return known }
        let reach = reach(from: states[Int(number) - 2], after: after)
        reaches[key] = reach
        return reach
    }

    private mutating func reach(from state: State, after: AdjacentCharacter) -> Reach {
        var reach = Reach()
        let held = lookbehinds(of: state, after: after, into: &reach)
        round += 1
        var seenWithDuties: Set<Place> = []
        var open = state.places
        while let place = open.popLast() {
            let at = instruction(of: place)
            let way = place & ~0xFFFF_FFFF
            if way != 0 {
                guard seenWithDuties.insert(place).inserted else { continue }
            } else {
                if seen[at] == round { continue }
                seen[at] = round
            }
            steps += 1
            switch program.instructions[at] {
            case .match where way == 0:
                reach.isMatch = true
                return reach
            case .match, .take: reach.places.append(place)
            case .jump(let target): open.append(way | Place(target))
            case .split(let first, let second): open += [way | Place(first), way | Place(second)]
            case .assert(let assertion):
                if assertion.holds(between: state.before, and: after) { open.append(place + 1) }
            case .save, .forget, .requireProgress: open.append(place + 1)
            case .backreference:
                reach.places.append(place)
                open.append(place + 1)
            case .look(let behind, let negated, let end):
                if !looks.isReliable(at), negated || behind {
                    open.append(way | Place(end))
                } else if behind {
                    if held.contains(at) != negated { open.append(way | Place(end)) }
                } else {
                    var inner = state
                    (inner.places, inner.restarts) = ([Place(at) + 1], false)
                    let duty = self.number(of: inner) << 1 | (negated ? 1 : 0)
                    let all = duties[Int(way >> 32)]
                    open.append(numberOfDuties(all.contains(duty) ? all : all + [duty]) << 32 | Place(end))
                }
            }
        }
        return reach
    }

    /// The instructions of the lookbehinds that hold at a position.
    private mutating func lookbehinds(
        of state: State,
        after: AdjacentCharacter,
        into reach: inout Reach
    ) -> Set<Int> {
        var held: Set<Int> = []
        // Those inside of others come later, and are what the outer ones need.
        for look in looks.lookbehinds.reversed() {
            var open = state.behind.filter { look.owns(Int($0)) } + [Int32(look.at + 1)]
            var seen: Set<Int32> = []
            while let place = open.popLast() {
                guard seen.insert(place).inserted else { continue }
                steps += 1
                switch program.instructions[Int(place)] {
                case .match: held.insert(look.at)
                case .take: reach.behind.append(place)
                case .jump(let target): open.append(target)
                case .split(let first, let second): open += [first, second]
                case .assert(let assertion):
                    if assertion.holds(between: state.before, and: after) { open.append(place + 1) }
                case .save, .forget, .requireProgress: open.append(place + 1)
                case .look(_, let negated, let end): if held.contains(Int(place)) != negated { open.append(end) }
                case .backreference: break
                }
            }
        }
        return held
    }

    private mutating func numberOfDuties(_ list: [UInt32]) -> Place {
        let list = list.sorted()
        if let number = dutyNumbers[list] { return number }
        let number = Place(duties.count)
        duties.append(list)
        dutyNumbers[list] = number
        return number
    }

    private mutating func step(from number: UInt32, _ symbol: Int) -> UInt32 {
        let reach = reach(from: number, after: neighbours[symbol])
        guard !reach.isMatch else { return Automaton.accepting }
        steps += reach.places.count
        var next: [Place] = []
        for place in reach.places {
            var target = place
            switch program.instructions[instruction(of: place)] {
            case .take(let set, _):
                guard membership[Int(set)][symbol] else { continue }
                target += 1
            default: break
            }
            if target >> 32 != 0 {
                guard let left = duties(Int(target >> 32), after: symbol) else { continue }
                target = left << 32 | target & 0xFFFF_FFFF
                if left == 0, case .match = program.instructions[instruction(of: target)] { return Automaton.accepting }
            }
            next.append(target)
        }
        if states[Int(number) - 2].restarts { next.append(0) }
        guard !next.isEmpty else { return Automaton.dead }
        next.sort()
        if duties.count > 1 { next = next.indices.filter { $0 == 0 || next[$0] != next[$0 - 1] }.map { next[$0] } }
        let behind = reach.behind.filter { place in
            if case .take(let set, _) = program.instructions[Int(place)] { membership[Int(set)][symbol] } else { false }
        }
        let restarts = states[Int(number) - 2].restarts
        return self.number(
            of: State(
                places: next,
                before: neighbours[symbol],
                restarts: restarts,
                behind: behind.map { $0 + 1 }.sorted()
            )
        )
    }

    /// The duties that are left behind a symbol; `nil` where one cannot be met.
    private mutating func duties(_ number: Int, after symbol: Int) -> Place? {
        var left: [UInt32] = []
        for duty in duties[number] {
            let mustNotMatch = duty & 1 == 1
            let next = state(after: duty >> 1, symbol)
            switch next {
            case Automaton.accepting: if mustNotMatch { return nil }
            case Automaton.dead: if !mustNotMatch { return nil }
            default: left.append(next << 1 | duty & 1)
            }
        }
        return numberOfDuties(Array(Set(left)))
    }
}

extension Program {
    /// The properties of neighbouring characters that assertions ask for.
    fileprivate var interest: AdjacentCharacter {
        var interest: AdjacentCharacter = .edge
        for case .assert(let assertion) in instructions { interest.formUnion(assertion.interest) }
        return interest
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

    /// The code points of each symbol.
    var members: [[ClosedRange<UInt32>]] {
        var members = [[ClosedRange<UInt32>]](repeating: [], count: symbolCount)
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] - 1 : 0x10FFFF
            members[Int(symbols[index])].append(start...end)
        }
        return members
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
