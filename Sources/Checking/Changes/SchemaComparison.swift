import Basics
import JSON
import JSONSchema
import OpenAPI

/// Compares pairs of schemas after their references are resolved; each pair once, so that recursion ends.
struct SchemaComparison {
    /// More pairs than these are not compared, which is then said.
    static let pairLimit = 100_000
    /// The most values that searches for counterexamples try.
    private static let mostTries = 50_000

    /// The origin of a pair: a place of a message, or another pair.
    private enum Parent {
        case use(Int)
        case pair(Int)
    }

    private struct Key: Hashable {
        var old: [SchemaPlace]
        var new: [SchemaPlace]
        var direction: TravelDirection
        var isText: Bool
    }

    private struct Pair {
        var old: [SchemaPlace]
        var new: [SchemaPlace]
        var direction: TravelDirection
        /// A Boolean value that indicates whether values are written as texts.
        var isText: Bool
        /// From the message's body to here, such as `pets[].name`.
        var path: String
        var fallback: JSONPosition
        var parents: [Parent]
        var changes: [ContractChange] = []
    }

    private let old: ContractRevision
    private let new: ContractRevision
    private var pairs: [Pair] = []
    private var numbers: [Key: Int] = [:]
    private var done = 0
    private(set) var isCutShort = false
    /// The number of comparisons that this one is a part of.
    private let depth: Int
    private let pairLimit: Int
    /// The number of values that searches for counterexamples may still try; none in a part of another comparison.
    private var tries: Int

    init(_ old: ContractRevision, _ new: ContractRevision) {
        self.init(old, new, depth: 0, pairLimit: Self.pairLimit)
    }

    private init(_ old: ContractRevision, _ new: ContractRevision, depth: Int, pairLimit: Int) {
        (self.old, self.new, self.depth, self.pairLimit) = (old, new, depth, pairLimit)
        tries = depth == 0 ? Self.mostTries : 0
    }

    /// Returns whether a change from one schema to another is proved to break no client.
    static func isSafe(
        _ before: [SchemaPlace],
        in old: ContractRevision,
        _ after: [SchemaPlace],
        in new: ContractRevision,
        _ direction: TravelDirection,
        depth: Int
    ) -> Bool {
        let (before, after) = (before.map(old.target), after.map(new.target))
        if old.isEqual(before, after, in: new) { return true }
        guard depth < 2, let position = after.first.map(new.position) else { return false }
        return old.proofs.result(.init(before, after, in: new, direction, depth: depth)) {
            var comparison = SchemaComparison(old, new, depth: depth + 1, pairLimit: 200)
            comparison.add(before, after, direction, isText: false, "", position, .use(0))
            comparison.visitAll { $0.contains { $0.effect != .safe } }
            return !comparison.isCutShort
                && comparison.pairs.allSatisfy { $0.changes.allSatisfy { $0.effect == .safe } }
        }
    }

    /// Returns whether two schemas may accept different values.
    static func differs(
        _ before: [SchemaPlace],
        in old: ContractRevision,
        _ after: [SchemaPlace],
        in new: ContractRevision,
        depth: Int
    ) -> Bool {
        !isSafe(before, in: old, after, in: new, .subset, depth: depth)
            || !isSafe(after, in: new, before, in: old, .subset, depth: depth)
    }

    /// Visits the pairs that were found, and those found on the way, until one has changes that end it.
    private mutating func visitAll(until isEnough: ([ContractChange]) -> Bool = { _ in false }) {
        while done < pairs.count {
            visit(done)
            done += 1
            if isEnough(pairs[done - 1].changes) { return }
        }
    }

    /// Compares what a message's part allows.
    ///
    /// - Parameters:
    ///   - isText: whether values are written as texts, as in a query, where the number 1 is the text "1".
    ///   - use: a number for the part, which ``changes()`` gives back.
    ///   - position: where the newer revision describes the part.
    mutating func compare(
        _ earlier: SchemaReference?,
        _ later: SchemaReference?,
        _ direction: TravelDirection,
        named name: String,
        isText: Bool,
        use: Int,
        at position: JSONPosition
    ) {
        guard earlier != nil || later != nil else { return }
        let before = earlier.flatMap(old.place)
        let after = later.flatMap(new.place)
        // What a reference of a broken document leads to is not known.
        guard (earlier == nil) == (before == nil), (later == nil) == (after == nil) else { return }
        let (olds, news) = ([before].compactMap(\.self), [after].compactMap(\.self))
        add(olds, news, direction, isText: isText, name, position, .use(use))
        visitAll()
    }

    /// Every change, with the parts of messages that it concerns, in the order of discovery.
    func changes() -> [(change: ContractChange, uses: [Int])] {
        pairs.indices.flatMap { number in
            guard !pairs[number].changes.isEmpty else { return [(change: ContractChange, uses: [Int])]() }
            let uses = self.uses(of: number)
            return pairs[number].changes.map { ($0, uses) }
        }
    }

    private func uses(of pair: Int) -> [Int] {
        var found: Set<Int> = []
        var seen: Set<Int> = [pair]
        var waiting = [pair]
        while let number = waiting.popLast() {
            for parent in pairs[number].parents {
                switch parent {
                case .use(let use): found.insert(use)
                case .pair(let parent): if seen.insert(parent).inserted { waiting.append(parent) }
                }
            }
        }
        return found.sorted()
    }

    private mutating func add(
        _ before: [SchemaPlace],
        _ after: [SchemaPlace],
        _ direction: TravelDirection,
        isText: Bool,
        _ path: String,
        _ fallback: JSONPosition,
        _ parent: Parent
    ) {
        let (before, after) = (before.map(old.target(of:)), after.map(new.target(of:)))
        if old.isEqual(before, after, in: new) { return }
        let key = Key(old: before, new: after, direction: direction, isText: isText)
        if let known = numbers[key] {
            pairs[known].parents.append(parent)
            return
        }
        guard pairs.count < pairLimit else {
            isCutShort = true
            return
        }
        numbers[key] = pairs.count
        pairs.append(
            Pair(
                old: before,
                new: after,
                direction: direction,
                isText: isText,
                path: path,
                fallback: fallback,
                parents: [parent]
            )
        )
    }

    private mutating func visit(_ number: Int) {
        let pair = pairs[number]
        let schemas = SchemaPair(
            pair.old,
            pair.new,
            pair.direction,
            isText: pair.isText,
            pair.path,
            pair.fallback,
            in: old,
            new,
            depth: depth
        )
        var visit = PairVisit(schemas, tries: tries)
        visit.run()
        tries = visit.search.tries
        isCutShort = isCutShort || schemas.isCutShort
        pairs[number].changes = visit.changes
        for inner in visit.inner {
            add(
                inner.old,
                inner.new,
                inner.direction,
                isText: pair.isText,
                inner.path,
                schemas.position,
                .pair(number)
            )
        }
    }
}
