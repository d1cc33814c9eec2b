import Basics

/// A regular expression of ECMAScript (ECMA-262, section 22.2, with the `u` flag), compiled once and matched in a
/// bounded number of steps.
///
/// Expressions without lookarounds and backreferences are usually run by a deterministic automaton, in time linear in
/// the text. Others are run by backtracking within a budget; without backreferences that too tries nothing twice.
/// Texts are matched scalar by scalar.
package struct ECMAPattern: Sendable {
    /// The result of a search.
    package enum Outcome: Sendable, Hashable {
        case match
        case noMatch
        /// The budget of steps ran out before the result was known.
        case exhausted
    }

    /// The steps that a search may take by default.
    package static let defaultBudget = 1_000_000

    /// The expression as it was written.
    package let source: String

    let parsed: ParsedPattern
    private let machine: Machine

    /// Compiles an expression.
    ///
    /// - Throws: ``ECMAPatternError``, with the place in the expression and what would be right.
    package init(_ source: String) throws(ECMAPatternError) {
        if let known = Self.known.withLock({ $0[source.exact] }) {
            self = known
            return
        }
        self.source = source
        parsed = try PatternParser.parse(source)
        machine = try Machine(parsed)
        guard source.utf8.count <= Self.longestKnown else { return }
        let compiled = self
        Self.known.withLock { known in
            if known.count >= Self.mostKnown { known = [:] }
            known[source.exact] = compiled
        }
    }

    /// Expressions that were compiled before: the routes of a backend repeat them, and each of its stories loads them again.
    private static let known = Lock<[ExactText: ECMAPattern]>([:])
    private static let mostKnown = 128
    /// The bytes of the longest expression that is kept.
    private static let longestKnown = 200

    /// Returns whether the expression matches anywhere in a text.
    ///
    /// - Parameter budget: the steps that the search may take; a step is constant work. Expressions that are run
    ///   without backtracking need none: they look at each character once.
    package func search(in text: String, budget: Int = ECMAPattern.defaultBudget) -> Outcome {
        let outcome = text.utf8.withContiguousStorageIfAvailable { bytes in
            machine.search(in: TextBytes(bytes: bytes), budget: budget)
        }
        if let outcome { return outcome }
        var native = text
        return native.withUTF8 { machine.search(in: TextBytes(bytes: $0), budget: budget) }
    }
}

/// The machine that runs an expression: the simplest one that is enough.
///
/// It is an object only so that a search need not count references to each of its tables.
final class Machine: Sendable {
    private enum Means {
        case runs(RunSequence)
        case automaton(Automaton)
        case backtracking(Program)
    }

    private let means: Means

    init(_ parsed: ParsedPattern) throws(ECMAPatternError) {
        if let runs = RunSequence(parsed.root) {
            means = .runs(runs)
            return
        }
        var parsed = parsed
        parsed.root = parsed.root.trimmed
        let program = try ProgramCompiler.compile(parsed)
        means = AutomatonBuilder.build(program).map { .automaton($0) } ?? .backtracking(program)
    }

    func search(in text: TextBytes, budget: Int) -> ECMAPattern.Outcome {
        switch means {
        case .runs(let runs):
            return runs.accepts(text) ? .match : .noMatch
        case .automaton(let automaton):
            return automaton.accepts(text) ? .match : .noMatch
        case .backtracking(let program):
            var backtracker = Backtracker(program, text: text, budget: budget)
            return backtracker.search()
        }
    }
}

/// The reason why a text is not a valid regular expression.
package struct ECMAPatternError: Error, Hashable {
    /// The finding and what would be right, as a sentence without a closing full stop.
    package var message: String
    /// Where, in Unicode scalars from the beginning of the expression.
    package var offset: Int
    /// A Boolean value that indicates whether the expression is valid and exceeds a limit of this implementation.
    package var isLimit: Bool

    package init(_ message: String, at offset: Int, isLimit: Bool = false) {
        self.message = message
        self.offset = offset
        self.isLimit = isLimit
    }
}
