import ScenarioFormat
import Simulation

extension Evidence {
    /// Judges how many exchanges there are of a pattern, and how they lie in time.
    func judge(
        _ pattern: ExchangePattern,
        _ count: CountRange,
        _ relations: [Expectation.Relation],
        within limit: Duration?,
        _ gap: GapRange?
    ) -> ExpectationResult {
        let fitting = exchanges.filter(pattern.fits)
        let numbers = fitting.map(\.number)
        let wanted = pattern.words(count)
        if fitting.count > count.atMost {
            let happened = "it came \(Sentences.times(fitting.count)): \(Sentences.exchanges(numbers))"
            return .failed("expect/count", wanted, but: happened, numbers)
        }
        if fitting.count < count.atLeast { return tooFew(pattern, wanted, numbers) }
        if let limit, let late = fitting.first(where: { $0.time - start > limit }) {
            let rule = "every \(pattern.words) within \(DurationText.text(limit)) of the start"
            let moment = DurationText.text(late.time - start)
            return .failed("expect/within", rule, but: "exchange \(late.number) came after \(moment)", [late.number])
        }
        for relation in relations {
            if let broken = judge(relation, of: pattern, numbers) { return broken.uncertain() }
        }
        if let broken = gap.flatMap({ judge($0, of: pattern, between: fitting) }) { return broken }
        var terms = relations.map(\.words)
        if let limit { terms.append("within \(DurationText.text(limit)) of the start") }
        if let gap { terms.append("each \(gap.words) after the one before") }
        let held = ExpectationResult.held("expect/count", ([wanted] + terms).joined(separator: ", "), numbers)
        return count.atMost == .max && terms.isEmpty ? held : held.uncertain()
    }

    private func tooFew(_ pattern: ExchangePattern, _ wanted: String, _ numbers: [UInt64]) -> ExpectationResult {
        var happened = "no request arrived at all"
        var told = numbers
        if !isSilent {
            happened = "it never came"
            if !numbers.isEmpty {
                happened = "it came only \(Sentences.times(numbers.count)): \(Sentences.exchanges(numbers))"
            }
            if let nearest = nearest(to: pattern) {
                happened += "; \(nearest.words)"
                told.append(nearest.number)
            }
        }
        return .failed("expect/count", wanted, but: happened, told).uncertain()
    }

    /// Judges how exchanges lie to the first one of another pattern; `nil` when all is well.
    private func judge(
        _ relation: Expectation.Relation,
        of pattern: ExchangePattern,
        _ numbers: [UInt64]
    ) -> ExpectationResult? {
        guard !numbers.isEmpty else { return nil }
        let other = relation.pattern
        let mark = exchanges.first(where: other.fits)?.number
        let wanted = "every \(pattern.words) \(relation.words)"
        guard let mark else {
            if case .notAfter = relation { return nil }
            return .failed(relation.rule, wanted, but: "there was no \(other.words)", numbers)
        }
        guard let stray = numbers.first(where: { !relation.allows($0, mark) }) else { return nil }
        let happened: String
        switch relation {
        case .after where stray == mark: happened = "exchange \(stray) is the first of those itself"
        case .after: happened = "exchange \(stray) came earlier than the first of those, exchange \(mark)"
        case .before where stray == mark: happened = "exchange \(stray) is the first of those itself"
        case .before, .notAfter: happened = "exchange \(stray) came later than exchange \(mark)"
        }
        return .failed(relation.rule, wanted, but: happened, [stray] + (stray == mark ? [] : [mark]))
    }
}

extension Expectation.Relation {
    fileprivate var pattern: ExchangePattern {
        switch self {
        case .before(let pattern), .after(let pattern), .notAfter(let pattern): pattern
        }
    }

    fileprivate var words: String {
        switch self {
        case .before(let pattern): "before \(pattern.words)"
        case .after(let pattern): "after \(pattern.words)"
        case .notAfter(let pattern): "not after \(pattern.words)"
        }
    }

    fileprivate var rule: String {
        switch self {
        case .before: "expect/before"
        case .after: "expect/after"
        case .notAfter: "expect/not-after"
        }
    }

    /// Whether an exchange may lie so to the first one of the other pattern.
    fileprivate func allows(_ number: UInt64, _ mark: UInt64) -> Bool {
        switch self {
        case .before: number < mark
        case .after: number > mark
        case .notAfter: number <= mark
        }
    }
}
