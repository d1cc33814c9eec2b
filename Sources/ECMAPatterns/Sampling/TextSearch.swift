/// Looks for a text that several expressions match and that has one of certain lengths, in a bounded number of steps.
///
/// The automata of all expressions run together. Their states are counted by the length at which they are reached, so
/// the search finds a text if one exists, and otherwise proves that no text exists.
struct TextSearch {
    enum Outcome {
        case text(String)
        /// No text is matched by all expressions and has such a length.
        case impossible
        /// The search found no text within its limit of steps.
        case unknown
    }

    private struct Edge {
        var target: Int32
        var symbols: [UInt16]
    }

    /// Characters that look alike to all expressions.
    private struct Symbol {
        var members: ScalarSet
        /// 0 for letters and digits, 1 for others that can be seen, 2 for the rest.
        var rank: Int
        var count: Int
    }

    private static let mostSteps = 400_000
    /// More lengths than these above the shortest one are not drawn.
    private static let lengthsToDraw = 8
    private static let draws = 24
    /// The texts that are tried one after the other where an automaton accepts more than its expression.
    private static let listedTexts = 3_000

    private let patterns: [ECMAPattern]
    private let lengths: ClosedRange<Int>
    private var automata: [AutomatonBuilder] = []
    private var symbols: [Symbol] = []
    private var isExact = true

    private var numbers: [[UInt32]: Int32] = [:]
    private var states: [[UInt32]] = []
    private var edges: [[Edge]?] = []
    private var ends: [Bool?] = []
    /// The states that texts of each length lead to.
    private var layers: [[Int32]] = []
    private var steps = 0

    /// Returns `nil` where an expression is too large for an automaton.
    init?(_ patterns: [ECMAPattern], lengths: ClosedRange<Int>) {
        self.patterns = patterns
        self.lengths = lengths
        var programs: [Program] = []
        for pattern in patterns {
            var parsed = pattern.parsed
            parsed.root = parsed.root.trimmed.counting(upTo: lengths.upperBound)
            guard let program = try? ProgramCompiler.compile(parsed, readsForwards: true) else { return nil }
            programs.append(program)
        }
        let sets = programs.flatMap(AutomatonBuilder.sets) + [.lettersAndDigits, .printable]
        guard let alphabet = Alphabet(of: sets) else { return nil }
        automata = programs.map { AutomatonBuilder($0, alphabet) }
        isExact = automata.allSatisfy(\.isExact)
        symbols = alphabet.members.map { members in
            let scalars = ScalarSet(ScalarSet(members).scalarRanges)
            let rank =
                scalars.ranges.first.map { first in
                    ScalarSet.lettersAndDigits.contains(first.lowerBound)
                        ? 0 : ScalarSet.printable.contains(first.lowerBound) ? 1 : 2
                } ?? 2
            return Symbol(members: scalars, rank: rank, count: scalars.ranges.reduce(0) { $0 + $1.count })
        }
    }

    /// Draws a text.
    ///
    /// - Parameter accepts: a further requirement, which only a test can tell.
    mutating func find(
        using generator: inout some RandomNumberGenerator,
        where accepts: (String) -> Bool
    ) -> Outcome {
        let start = number(of: automata.indices.map { automata[$0].start() })
        layers = [[start]]
        guard let least = leastLength() else { return isExhausted ? .unknown : .impossible }
        guard least <= lengths.upperBound else { return .impossible }
        let most = min(lengths.upperBound, least + Self.lengthsToDraw)
        let possible = (least...most).filter { hasEnd(at: $0) }
        guard !isExhausted, !possible.isEmpty else { return .unknown }
        for _ in 0..<Self.draws {
            guard let length = possible.randomElement(using: &generator) else { break }
            let viable = viableStates(to: length)
            guard !isExhausted else { return .unknown }
            let text = draw(length, viable, using: &generator)
            if isMatched(text), accepts(text) { return .text(text) }
        }
        return list(least, where: accepts)
    }

    private var isExhausted: Bool {
        steps + automata.reduce(0) { $0 + $1.steps } > Self.mostSteps
    }

    private func isMatched(_ text: String) -> Bool { patterns.allSatisfy { $0.search(in: text) == .match } }
}

extension TextSearch {
    private mutating func number(of state: [UInt32]) -> Int32 {
        if let number = numbers[state] { return number }
        let number = Int32(states.count)
        numbers[state] = number
        states.append(state)
        edges.append(nil)
        ends.append(nil)
        return number
    }

    /// The states behind a state, each with the characters that lead there.
    private mutating func edges(of number: Int32) -> [Edge] {
        if let known = edges[Int(number)] { return known }
        var found: [Int32: Int] = [:]
        var list: [Edge] = []
        let state = states[Int(number)]
        for symbol in symbols.indices where symbols[symbol].count > 0 {
            steps += automata.count
            var next: [UInt32] = []
            for index in automata.indices {
                next.append(automata[index].state(after: state[index], symbol))
                if next[index] == Automaton.dead { break }
            }
            guard next.last != Automaton.dead else { continue }
            let target = self.number(of: next)
            if let index = found[target] {
                list[index].symbols.append(UInt16(symbol))
            } else {
                found[target] = list.count
                list.append(Edge(target: target, symbols: [UInt16(symbol)]))
            }
            if isExhausted { return list }
        }
        edges[Int(number)] = list
        return list
    }

    private mutating func isEnd(_ number: Int32) -> Bool {
        if let known = ends[Int(number)] { return known }
        let state = states[Int(number)]
        let isEnd = automata.indices.allSatisfy { automata[$0].acceptsEnd(in: state[$0]) }
        ends[Int(number)] = isEnd
        return isEnd
    }

    private mutating func hasEnd(at length: Int) -> Bool {
        layer(at: length).contains { isEnd($0) }
    }

    /// The states that texts of a length lead to; empty where the steps ran out before.
    private mutating func layer(at length: Int) -> [Int32] {
        while layers.count <= length, !isExhausted {
            let last = layers[layers.count - 1]
            // What leads to itself alone does so however long the text gets.
            if layers.count > 1, last == layers[layers.count - 2] {
                layers += [[Int32]](repeating: last, count: length + 1 - layers.count)
                break
            }
            layers.append(successors(of: last))
        }
        return layers.count > length ? layers[length] : []
    }

    private mutating func successors(of layer: [Int32]) -> [Int32] {
        var next: Set<Int32> = []
        for state in layer {
            steps += 1
            for edge in edges(of: state) { next.insert(edge.target) }
        }
        return next.sorted()
    }

    /// The least length, from the least that is asked for on, of a text that every automaton accepts; `nil` if no such text
    /// exists or the steps ran out.
    private mutating func leastLength() -> Int? {
        var frontier = layer(at: lengths.lowerBound)
        var known = Set(frontier)
        var length = lengths.lowerBound
        while !frontier.isEmpty, !isExhausted {
            if frontier.contains(where: { isEnd($0) }) { return length }
            frontier = successors(of: frontier).filter { known.insert($0).inserted }
            length += 1
        }
        return nil
    }

    /// For each length up to one, the states from which a text of that length can still be completed.
    private mutating func viableStates(to length: Int) -> [Set<Int32>] {
        var viable = [Set<Int32>](repeating: [], count: length + 1)
        viable[length] = Set(layers[length].filter { isEnd($0) })
        for index in stride(from: length - 1, through: 0, by: -1) where !isExhausted {
            if index + 2 <= length, layers[index] == layers[index + 1], viable[index + 1] == viable[index + 2] {
                viable[index] = viable[index + 1]
                continue
            }
            for state in layers[index] {
                steps += 1
                if edges(of: state).contains(where: { viable[index + 1].contains($0.target) }) {
                    viable[index].insert(state)
                }
            }
        }
        return viable
    }
}

extension TextSearch {
    /// A text of a length, by a random way through viable states.
    private mutating func draw(
        _ length: Int,
        _ viable: [Set<Int32>],
        using generator: inout some RandomNumberGenerator
    ) -> String {
        var text = String.UnicodeScalarView()
        var state: Int32 = 0
        for index in 0..<length {
            var choices: [(symbol: Symbol, target: Int32, weight: Int)] = []
            for edge in edges(of: state) where viable[index + 1].contains(edge.target) {
                for symbol in edge.symbols.map({ symbols[Int($0)] }) {
                    choices.append((symbol, edge.target, symbol.rank == 0 ? 8 * symbol.count : symbol.count))
                }
            }
            // What cannot be seen is a last resort.
            let seen = choices.filter { $0.symbol.rank < 2 }
            if !seen.isEmpty { choices = seen }
            var number = Int.random(in: 0..<max(choices.reduce(0) { $0 + $1.weight }, 1), using: &generator)
            for choice in choices {
                number -= choice.weight
                guard number < 0 else { continue }
                if let member = choice.symbol.members.sample(prefersLetters: true, using: &generator) {
                    text.append(member)
                }
                state = choice.target
                break
            }
        }
        return String(text)
    }

    /// Tries texts in their order, the shortest first.
    private mutating func list(_ least: Int, where accepts: (String) -> Bool) -> Outcome {
        var left = Self.listedTexts
        // A symbol of which not every member is tried leaves texts that were not tried.
        var isComplete = symbols.allSatisfy { $0.count <= 3 }
        for length in least...min(lengths.upperBound, least + Self.lengthsToDraw) {
            _ = layer(at: length)
            guard layers.count > length else { return .unknown }
            let viable = viableStates(to: length)
            var open: [(text: String.UnicodeScalarView, state: Int32)] = [(String.UnicodeScalarView(), 0)]
            while let (text, state) = open.popLast() {
                guard left > 0, !isExhausted else { return .unknown }
                guard text.count < length else {
                    left -= 1
                    if isMatched(String(text)), accepts(String(text)) { return .text(String(text)) }
                    continue
                }
                for edge in edges(of: state) where viable[text.count + 1].contains(edge.target) {
                    for member in edge.symbols.flatMap({ symbols[Int($0)].members.first(3) }) {
                        open.append((text + [member], edge.target))
                    }
                }
            }
        }
        if lengths.upperBound > least + Self.lengthsToDraw { isComplete = false }
        return isComplete ? .impossible : .unknown
    }
}

extension ScalarSet {
    /// The first members, at most as many as asked for.
    fileprivate func first(_ count: Int) -> [Unicode.Scalar] {
        Array(ranges.lazy.flatMap { $0.lazy.compactMap(Unicode.Scalar.init) }.prefix(count))
    }
}

extension PatternNode {
    /// The same expression for texts of at most some length: a repetition that may exceed it has no end, and one that
    /// must exceed it matches nothing.
    fileprivate func counting(upTo length: Int) -> PatternNode {
        switch kind {
        case .sequence(let parts): return .sequence(parts.map { $0.counting(upTo: length) })
        case .alternatives(let choices): return .alternatives(choices.map { $0.counting(upTo: length) })
        case .capture(let group, let body): return .capture(group, body.counting(upTo: length))
        case .look(let look, let body): return .look(look, body.counting(upTo: length))
        case .repetition(var repetition, let body):
            if body.lengths.least > 0, repetition.minimum > length { return .member(ScalarSet([])) }
            if let maximum = repetition.maximum, maximum > max(length, repetition.minimum) { repetition.maximum = nil }
            return .repetition(repetition, body.counting(upTo: length))
        case .member, .assertion, .backreference: return self
        }
    }
}
