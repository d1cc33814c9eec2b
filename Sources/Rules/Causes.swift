import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// The table of violations that follow from others, so that one mistake of a client is one finding.
///
/// One violation explains another where an otherwise correct client does the second because of the first, in the same
/// exchanges of the same device. A client that does not keep its new tokens is refused, refreshes again, and has to sign
/// the user out: all of that follows. A client that continues after a permanent refusal does what no correct client would,
/// regardless of how it came to the refusal: that is a separate mistake.
struct Causes {
    /// A rule and those that its violations explain.
    private struct Row {
        var cause: String
        var effects: [String]
        /// A further condition.
        var condition: @Sendable (Judgement, Judgement, Evidence) -> Bool = { _, _, _ in true }
    }

    /// The first row that explains a violation counts.
    private static let rows = [
        // New tokens that are lost: the old ones are sent and refused, and the next refresh ends the session.
        Row(cause: "B4", effects: ["B2", "B7", "B15", "B23", "B25"]) { reuse, _, evidence in
            !evidence.isAnyUsed(ofTokensBroughtBy: reuse.exchanges.last)
                || evidence.isOldTokenSent(between: reuse.exchanges.last, and: reuse.exchanges.first)
        },
        Row(cause: "B5", effects: ["B15", "B23"]),
        // A token that no server can accept is refused, and refreshed for nothing.
        Row(cause: "B20", effects: ["B1", "B2", "B7", "B8", "B23"]),
        Row(cause: "B29", effects: ["B1", "B2", "B3", "B7", "B8", "B9", "B23", "B28"]),
        Row(cause: "B16", effects: ["B7", "B9", "B23"]),
        // Each refresh without a reason is one too many.
        Row(cause: "B11", effects: ["B2", "B27"]),
        Row(cause: "B8", effects: ["B2", "B27"]),
        Row(cause: "B27", effects: ["B2"]),
        // The process that loses a race is refused, and signs the user out.
        Row(cause: "B24", effects: ["B2", "B23", "B25"]),
        // A dead token that was read too early is refused, and refreshed again.
        Row(cause: "B15", effects: ["B2", "B7"]) { stale, effect, _ in
            stale.exchanges.first ?? 0 < effect.exchanges.max() ?? 0
        },
        // A replay with the dead token does not count as one.
        Row(cause: "B15", effects: ["B7"]) { stale, lost, evidence in
            evidence.areAlike(stale.exchanges.first, lost.exchanges.first)
        },
        // A refresh next to another one offers a token that is used up, is refused, and signs the user out.
        Row(cause: "B2", effects: ["B4", "B7", "B15", "B23", "B25"]),
        // A copy of the tokens that was not renewed has both old ones.
        Row(cause: "B4", effects: ["B7", "B15", "B23"]),
        // Calls after the end of the session bring dead tokens, again and again.
        Row(cause: "B10", effects: ["B2", "B3", "B7", "B15"]),
        // Without a refresh, every repeated request is refused with the same token.
        Row(cause: "B1", effects: ["B3"]),
        Row(cause: "B28", effects: ["B1", "B7"]),
        Row(cause: "B22", effects: ["B7"]),
        Row(cause: "B21", effects: ["B14"]),
        Row(cause: "B6", effects: ["B23"]),
        Row(cause: "B9", effects: ["B23"]),
    ]

    /// The rules about a refresh that did not come.
    private static let omissions: Set = ["B1", "B28"]

    /// The rules of the table, by number.
    static var rules: Set<String> { Set(rows.flatMap { [$0.cause] + $0.effects }) }

    private let evidence: Evidence
    private let judgements: [Judgement]
    private let exchanges: [Set<Int>]
    /// The index of the violation that each follows from directly.
    private var causes: [Int: Int] = [:]

    /// - Parameter judgements: those of all rules.
    init(of judgements: [Judgement], by evidence: Evidence) {
        self.evidence = evidence
        self.judgements = judgements
        exchanges = judgements.map { Set($0.exchanges) }
        let failed = judgements.indices.filter { judgements[$0].status == .failed }
        let byNumber = Dictionary(grouping: failed) { judgements[$0].number }
        for row in Self.rows {
            let effects = row.effects.flatMap { byNumber[$0] ?? [] }
            for cause in byNumber[row.cause] ?? [] {
                for effect in effects
                where causes[effect] == nil && root(of: cause) != effect && explains(cause, effect, by: row) {
                    causes[effect] = cause
                }
            }
        }
    }

    private func explains(_ cause: Int, _ effect: Int, by row: Row) -> Bool {
        let (first, second) = (judgements[cause], judgements[effect])
        guard first.device == second.device || second.device == nil else { return false }
        return !exchanges[cause].isDisjoint(with: exchanges[effect]) && row.condition(first, second, evidence)
    }

    private func root(of index: Int) -> Int {
        var index = index
        while let cause = causes[index] { index = cause }
        return index
    }

    /// The rules' judgements, each that follows from another one with that one.
    var explained: [Judgement] {
        judgements.indices.map { index in
            let root = root(of: index)
            return root == index ? judgements[index] : judgements[index].explained(by: judgements[root])
        }
    }

    /// An expectation with the violation that it failed because of: the one that shares most exchanges with it.
    ///
    /// - Parameter content: what the story expects; `nil` for what it demands next to its list. A refresh that never came
    ///   has no exchanges, and follows from the violation that is about its absence.
    func explaining(_ expectation: Judgement, _ content: Expectation.Content? = nil) -> Judgement {
        guard expectation.status == .failed else { return expectation }
        if case .exchanges(let pattern, _, _, _, _) = content, expectation.exchanges.isEmpty,
            evidence.roles.purposes[pattern.route] == .refresh,
            let cause = judgements.indices.first(where: { index in
                judgements[index].status == .failed && Self.omissions.contains(judgements[index].number)
            })
        {
            return expectation.explained(by: judgements[root(of: cause)])
        }
        let shared = judgements.indices.map { index in
            judgements[index].status == .failed ? exchanges[index].count(where: expectation.exchanges.contains) : 0
        }
        guard let most = shared.max(), most > 0, let cause = shared.firstIndex(of: most) else { return expectation }
        return expectation.explained(by: judgements[root(of: cause)])
    }
}

extension Evidence {
    private func exchange(_ number: Int?) -> Exchange? {
        number.flatMap { number in exchanges.first { $0.number == number } }
    }

    /// Returns whether a client that had received new tokens sent an older one with a request before it refreshed
    /// again: then it was the stored tokens that were old, and not a copy that a waiting request had made.
    fileprivate func isOldTokenSent(between bringer: Int?, and reuse: Int?) -> Bool {
        guard let reuse, let bringer = exchange(bringer), let end = bringer.end else { return false }
        let brought = Set(bringer.granted.compactMap(\.id))
        return exchanges.contains { exchange in
            exchange.number > bringer.number && exchange.number < reuse && exchange.begin >= end
                && exchange.device == bringer.device && exchange.process == bringer.process
                && exchange.offered.contains { $0.isAccepted == false && $0.id.map { !brought.contains($0) } ?? false }
        }
    }

    /// Returns whether two exchanges asked for the same.
    fileprivate func areAlike(_ one: Int?, _ other: Int?) -> Bool {
        guard let one = exchange(one)?.request, let other = exchange(other)?.request else { return false }
        return one.method == other.method && one.target.exact == other.target.exact
    }

    /// Returns whether a token that an exchange brought was sent with any later one.
    fileprivate func isAnyUsed(ofTokensBroughtBy number: Int?) -> Bool {
        guard let bringer = exchange(number) else { return false }
        let brought = Set(bringer.granted.compactMap(\.id))
        return exchanges.contains { exchange in
            exchange.number > bringer.number && exchange.offered.contains { $0.id.map(brought.contains) ?? false }
        }
    }
}
