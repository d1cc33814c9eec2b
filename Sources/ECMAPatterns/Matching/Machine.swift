/// What runs an expression: the simplest means that is enough.
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
