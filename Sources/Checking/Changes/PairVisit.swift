import Basics
import JSON
import JSONSchema
import OpenAPI

/// The comparison of one pair, without what is inside of it.
struct PairVisit {
    let pair: SchemaPair
    var search: CounterexampleSearch
    private(set) var changes: [ContractChange] = []
    private lazy var isNothingSent = pair.sender.isContradictory || pair.depth == 0 && pair.hasNoSentValue
    /// The changes that break a client if the sender's schema has values, whether or not one is found.
    var provenChanges: Set<Int> = []
    /// The pairs to compare next.
    private(set) var inner: [(old: [SchemaPlace], new: [SchemaPlace], direction: TravelDirection, path: String)] = []

    init(_ pair: SchemaPair, tries: Int) {
        self.pair = pair
        search = CounterexampleSearch(tries: tries)
    }

    mutating func run() {
        compare()
        guard changes.contains(where: { $0.effect == .breaks }), isNothingSent else { return }
        // A schema without values is a mistake, and what was meant is not known.
        for index in changes.indices where changes[index].effect == .breaks { changes[index].effect = .undecided }
    }

    private mutating func compare() {
        guard !pair.isElsewhere(pair.before) || !pair.isElsewhere(pair.after) else { return }
        guard !compareWithEveryText(), !compareChoice() else { return }
        guard compareKinds(), !compareListWithSchema() else { return weigh() }
        guard !compareOneWithSeveral() else { return weigh() }
        compareValues()
        compareLimits()
        compareTexts()
        compareDefaults()
        compareObjects()
        compareArrays()
        compareConditions()
        weigh()
        compareDiscriminators()
        compareContent()
        compareAlternatives()
    }

    /// Takes back that changes break a client where no value proves it, because other keywords of the sender may exclude
    /// the values that are concerned.
    private mutating func weigh() {
        let hasAlternatives = !pair.before.groups.isEmpty || !pair.after.groups.isEmpty
        let concerned = changes.indices.filter { index in
            changes[index].effect == .breaks && !provenChanges.contains(index)
                && (hasAlternatives || Self.dependentFindings.contains(changes[index].id))
        }
        guard pair.depth == 0, pair.direction == .request || pair.direction == .response, !concerned.isEmpty else {
            return
        }
        switch search.result(for: pair) {
        case .found: return
        case .notSearched where !hasAlternatives: return
        case .notFound, .notSearched: break
        }
        for index in concerned { changes[index].effect = .undecided }
    }

    /// The findings about keywords that restrict the same values as others.
    private static let dependentFindings: Set<String> = [
        "changes/limit", "changes/enum", "changes/type", "changes/null", "changes/required", "changes/condition",
        "changes/additional", "changes/property-removed", "changes/property-added",
    ]

    /// Compares what is inside of both.
    mutating func compareInner(
        _ old: [SchemaPlace],
        _ new: [SchemaPlace],
        _ direction: TravelDirection? = nil,
        at path: String? = nil
    ) {
        let known = direction ?? pair.direction
        inner.append((old, new, isNothingSent ? .unclear : known, path ?? pair.path))
    }

    /// Compares schemas that hold for some of the values: their differences are decided if they are safe, or if a value
    /// proves that the whole change breaks a client.
    mutating func compareConditional(_ old: [SchemaPlace], _ new: [SchemaPlace], at path: String? = nil) {
        let accepted = pair.direction == .request ? new : old
        guard pair.depth == 0, pair.direction == .request || pair.direction == .response, !accepted.isEmpty,
            !pair.isSafe(old, new),
            case .notFound = search.result(for: pair)
        else { return compareInner(old, new, at: path) }
        compareInner(old, new, .unclear, at: path)
    }

    mutating func tell(
        _ id: String,
        _ sentence: String,
        _ shift: ValueShift,
        at keyword: String? = nil,
        _ exact: JSONPosition? = nil,
        old: JSONPosition? = nil
    ) {
        let newPosition = exact ?? keyword.flatMap(pair.after.position) ?? pair.position
        let oldPosition = old ?? keyword.flatMap(pair.before.position) ?? pair.before.position
        changes.append(
            ContractChange(
                id: "changes/" + id,
                sentence: sentence,
                effect: shift.effect(pair.direction),
                place: pair.newRevision.place(of: newPosition),
                old: oldPosition.map(pair.oldRevision.place)
            )
        )
    }

    /// Names a change that may be decided by what is known of the whole schemas only.
    ///
    /// - Parameter shift: what is proved of the change; it may affect no value at all.
    mutating func tellUncertain(_ sentence: String, _ shift: ValueShift?, at keyword: String? = nil) {
        if let shift, shift.effect(pair.direction) == .safe {
            tell("condition", sentence, shift, at: keyword)
        } else if let value = counterexample() {
            let text = "\(sentence), and \(value.shownAsText) is refused"
            tell("condition", text, pair.direction == .response ? .widens : .narrows, at: keyword)
        } else {
            tell("unclear", sentence, .unknown, at: keyword)
        }
    }

    /// A value that is sent and refused, where nothing was found yet that explains it.
    mutating func counterexample() -> JSONValue? {
        changes.contains { $0.effect == .breaks } ? nil : search.counterexample(for: pair)
    }

    /// Compares a number or a truth value that is written as a text with a schema of all texts.
    ///
    /// - Returns: whether it was that, so that nothing else is left to compare here.
    private mutating func compareWithEveryText() -> Bool {
        guard pair.isText, pair.before.kinds.union(pair.after.kinds).isDisjoint(with: [.array, .object]) else {
            return false
        }
        switch pair.direction {
        case .request where !pair.before.kinds.contains(.string) && pair.after.allowsEveryText:
            tell("type", "\(pair.subject) may be any text", .widens)
        case .response where pair.before.allowsEveryText && !pair.after.kinds.contains(.string):
            tell("type", "\(pair.subject) may no longer be any text", .narrows)
        default: return false
        }
        return true
    }

    /// - Returns: whether some kind of value but null is allowed by both.
    private mutating func compareKinds() -> Bool {
        let added = pair.after.kinds.subtracting(pair.before.kinds)
        let removed = pair.before.kinds.subtracting(pair.after.kinds)
        // Listed values are compared by themselves.
        let areListed = pair.before.values != nil && pair.after.values != nil
        let isOther = !areListed && !added.union(removed).subtracting(.null).isEmpty
        if isOther {
            let shift: ValueShift = added.isEmpty ? .narrows : removed.isEmpty ? .widens : .both
            tell("type", "\(pair.subject) is \(pair.after.kindText); it was \(pair.before.kindText)", shift, at: "type")
        } else if added.contains(.null) {
            tell("null", "\(pair.subject) may be null", .widens, at: "type")
        } else if removed.contains(.null) {
            tell("null", "\(pair.subject) may no longer be null", .narrows, at: "type")
        }
        return areListed || !pair.before.kinds.intersection(pair.after.kinds).subtracting(.null).isEmpty
    }

    /// Compares listed values that are sent with a schema that reads them: it must accept each.
    ///
    /// - Returns: whether it was that, so that nothing else is left to compare here.
    private mutating func compareListWithSchema() -> Bool {
        switch (pair.direction, pair.before.values, pair.after.values) {
        case (.request, let values?, nil):
            guard let refused = pair.newRevision.refused(of: values, by: pair.newPlaces) else { return false }
            if !refused.isEmpty { tell("enum", "\(pair.subject) may no longer be \(refused.listed)", .narrows) }
            tell("enum", "\(pair.subject) may be a value other than \(values.listed)", .widens, at: "enum")
        case (.response, nil, let values?), (.subset, nil, let values?):
            guard let refused = pair.oldRevision.refused(of: values, by: pair.oldPlaces) else { return false }
            if !refused.isEmpty { tell("enum", "\(pair.subject) may be \(refused.listed)", .widens) }
            tell("enum", "\(pair.subject) may only be \(values.listed)", .narrows, at: "enum")
        default: return false
        }
        return true
    }

    private mutating func compareValues() {
        switch (pair.before.values, pair.after.values) {
        case (nil, nil): return
        case (nil, let values?):
            tell("enum", "\(pair.subject) may only be \(values.listed)", .narrows, at: "enum")
        case (let values?, nil):
            tell("enum", "\(pair.subject) may be a value other than \(values.listed)", .widens, at: "enum")
        case (let old?, let new?):
            let (oldSet, newSet) = (Set(old), Set(new))
            let added = new.filter { !oldSet.contains($0) }
            let removed = old.filter { !newSet.contains($0) }
            if let first = added.first {
                tell("enum", "\(pair.subject) may be \(added.listed)", .widens, at: nil, first.position)
            }
            if let first = removed.first {
                tell(
                    "enum",
                    "\(pair.subject) may no longer be \(removed.listed)",
                    .narrows,
                    at: "enum",
                    old: first.position
                )
            }
        }
    }
}
