import Basics
import JSON
import JSONSchema
import OpenAPI

/// The comparison of one pair, without what is inside of it.
struct PairVisit {
    let before: SchemaView
    let after: SchemaView
    let direction: TravelDirection
    /// A Boolean value that indicates whether values are written as texts.
    private let isText: Bool
    let path: String
    let oldRevision: ContractRevision
    let newRevision: ContractRevision
    let oldPlaces: [SchemaPlace]
    let newPlaces: [SchemaPlace]
    /// The number of comparisons that this one is a part of.
    let depth: Int
    /// The number of values that searches for counterexamples may still try.
    private(set) var tries: Int
    let position: JSONPosition
    private(set) var changes: [ContractChange] = []
    private lazy var isNothingSent = sender.isContradictory || depth == 0 && hasNoSentValue
    /// The result of the search among all values of the sender's schema.
    private var found: Counterexample?
    /// The changes that break a client if the sender's schema has values, whether or not one is found.
    var provenChanges: Set<Int> = []
    /// Values that the sender's schema is likely to accept, and that the reader's may refuse.
    var candidates: [JSONValue] = []
    /// The pairs to compare next.
    private(set) var inner: [(old: [SchemaPlace], new: [SchemaPlace], direction: TravelDirection, path: String)] = []

    init(
        _ oldPlaces: [SchemaPlace],
        _ newPlaces: [SchemaPlace],
        _ direction: TravelDirection,
        isText: Bool,
        _ path: String,
        _ fallback: JSONPosition,
        in old: ContractRevision,
        _ new: ContractRevision,
        depth: Int,
        tries: Int
    ) {
        self.depth = depth
        self.tries = tries
        before = old.view(of: oldPlaces)
        after = new.view(of: newPlaces)
        self.oldPlaces = oldPlaces
        self.newPlaces = newPlaces
        self.direction = direction
        self.isText = isText
        self.path = path
        oldRevision = old
        newRevision = new
        position = after.position ?? fallback
    }

    /// A Boolean value that indicates whether a part of a schema was left out.
    var isCutShort: Bool { before.isCutShort || after.isCutShort }

    var subject: String { path.isEmpty ? "the body" : "`\(path)`" }

    mutating func run() {
        compare()
        guard changes.contains(where: { $0.effect == .breaks }), isNothingSent else { return }
        // A schema without values is a mistake, and what was meant is not known.
        for index in changes.indices where changes[index].effect == .breaks { changes[index].effect = .undecided }
    }

    /// A Boolean value that indicates whether the sender's schema is proved to have no value.
    private var hasNoSentValue: Bool {
        guard direction == .request || direction == .response, !sender.places.isEmpty,
            sender.places.allSatisfy({ $0.decided.isEmpty && !sender.revision.program.hasErrors($0.id) })
        else { return false }
        return SchemaSampler.contradiction(
            of: sender.places.map(\.id),
            in: sender.revision.program,
            going: direction == .request ? .request : .response
        ) != nil
    }

    private mutating func compare() {
        guard !isElsewhere(before) || !isElsewhere(after) else { return }
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
        let hasAlternatives = !before.groups.isEmpty || !after.groups.isEmpty
        let concerned = changes.indices.filter { index in
            changes[index].effect == .breaks && !provenChanges.contains(index)
                && (hasAlternatives || Self.dependentFindings.contains(changes[index].id))
        }
        guard depth == 0, direction == .request || direction == .response, !concerned.isEmpty else { return }
        switch search(of: nil) {
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
        let known = direction ?? self.direction
        inner.append((old, new, isNothingSent ? .unclear : known, path ?? self.path))
    }

    /// Compares schemas that hold for some of the values: their differences are decided if they are safe, or if a value
    /// proves that the whole change breaks a client.
    mutating func compareConditional(_ old: [SchemaPlace], _ new: [SchemaPlace], at path: String? = nil) {
        let accepted = direction == .request ? new : old
        guard depth == 0, direction == .request || direction == .response, !accepted.isEmpty, !isSafe(old, new),
            case .notFound = search(of: nil)
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
        let newPosition = exact ?? keyword.flatMap(after.position) ?? position
        let oldPosition = old ?? keyword.flatMap(before.position) ?? before.position
        changes.append(
            ContractChange(
                id: "changes/" + id,
                sentence: sentence,
                effect: shift.effect(direction),
                place: newRevision.place(of: newPosition),
                old: oldPosition.map(oldRevision.place)
            )
        )
    }

    /// Names a change that may be decided by what is known of the whole schemas only.
    ///
    /// - Parameter shift: what is proved of the change; it may affect no value at all.
    mutating func tellUncertain(_ sentence: String, _ shift: ValueShift?, at keyword: String? = nil) {
        if let shift, shift.effect(direction) == .safe {
            tell("condition", sentence, shift, at: keyword)
        } else if let value = counterexample() {
            let text = "\(sentence), and \(value.shownAsText) is refused"
            tell("condition", text, direction == .response ? .widens : .narrows, at: keyword)
        } else {
            tell("unclear", sentence, .unknown, at: keyword)
        }
    }

    /// A value that is sent and refused, where nothing was found yet that explains it.
    mutating func counterexample() -> JSONValue? {
        changes.contains { $0.effect == .breaks } ? nil : counterexample(of: nil)
    }

    /// A value that is sent and refused.
    ///
    /// - Parameter place: an alternative of the sender that the value shall match.
    mutating func counterexample(of place: SchemaPlace?) -> JSONValue? {
        guard direction == .request || direction == .response else { return nil }
        return search(of: place).value
    }

    /// Takes from the values that may still be tried.
    ///
    /// - Returns: whether as many were left.
    mutating func spendTries(_ count: Int) -> Bool {
        guard tries >= count else { return false }
        tries -= count
        return true
    }

    private mutating func search(of place: SchemaPlace?) -> Counterexample {
        if place == nil, let found { return found }
        let result = Counterexample.find(
            sender.places,
            in: sender.revision,
            refusedBy: reader.places,
            in: reader.revision,
            direction == .request ? .request : .response,
            hints: [before, after],
            candidates: candidates,
            sampling: place,
            budget: &tries
        )
        if place == nil { found = result }
        return result
    }

    /// The view of the schema that values are sent by.
    var sender: SchemaView { direction == .request ? before : after }
    /// The view of the schema that values are read by.
    var reader: SchemaView { direction == .request ? after : before }

    /// Returns whether a change from one schema to another is proved to break no client.
    func isSafe(_ old: [SchemaPlace], _ new: [SchemaPlace]) -> Bool {
        SchemaComparison.isSafe(old, in: oldRevision, new, in: newRevision, direction, depth: depth)
    }

    /// Returns whether the newer one of two schemas is proved to accept no value that the older one refuses.
    func narrows(_ old: SchemaPlace, _ new: SchemaPlace) -> Bool {
        SchemaComparison.isSafe([old], in: oldRevision, [new], in: newRevision, .subset, depth: depth)
    }

    /// Returns whether the older one of two schemas is proved to accept no value that the newer one refuses.
    func widens(_ old: SchemaPlace, _ new: SchemaPlace) -> Bool {
        SchemaComparison.isSafe([new], in: newRevision, [old], in: oldRevision, .subset, depth: depth)
    }

    /// Compares a number or a truth value that is written as a text with a schema of all texts.
    ///
    /// - Returns: whether it was that, so that nothing else is left to compare here.
    private mutating func compareWithEveryText() -> Bool {
        guard isText, before.kinds.union(after.kinds).isDisjoint(with: [.array, .object]) else { return false }
        switch direction {
        case .request where !before.kinds.contains(.string) && after.allowsEveryText:
            tell("type", "\(subject) may be any text", .widens)
        case .response where before.allowsEveryText && !after.kinds.contains(.string):
            tell("type", "\(subject) may no longer be any text", .narrows)
        default: return false
        }
        return true
    }

    /// - Returns: whether some kind of value but null is allowed by both.
    private mutating func compareKinds() -> Bool {
        let added = after.kinds.subtracting(before.kinds)
        let removed = before.kinds.subtracting(after.kinds)
        // Listed values are compared by themselves.
        let areListed = before.values != nil && after.values != nil
        let isOther = !areListed && !added.union(removed).subtracting(.null).isEmpty
        if isOther {
            let shift: ValueShift = added.isEmpty ? .narrows : removed.isEmpty ? .widens : .both
            tell("type", "\(subject) is \(after.kindText); it was \(before.kindText)", shift, at: "type")
        } else if added.contains(.null) {
            tell("null", "\(subject) may be null", .widens, at: "type")
        } else if removed.contains(.null) {
            tell("null", "\(subject) may no longer be null", .narrows, at: "type")
        }
        return areListed || !before.kinds.intersection(after.kinds).subtracting(.null).isEmpty
    }

    /// Compares listed values that are sent with a schema that reads them: it must accept each.
    ///
    /// - Returns: whether it was that, so that nothing else is left to compare here.
    private mutating func compareListWithSchema() -> Bool {
        switch (direction, before.values, after.values) {
        case (.request, let values?, nil):
            guard let refused = newRevision.refused(of: values, by: newPlaces) else { return false }
            if !refused.isEmpty { tell("enum", "\(subject) may no longer be \(refused.listed)", .narrows) }
            tell("enum", "\(subject) may be a value other than \(values.listed)", .widens, at: "enum")
        case (.response, nil, let values?), (.subset, nil, let values?):
            guard let refused = oldRevision.refused(of: values, by: oldPlaces) else { return false }
            if !refused.isEmpty { tell("enum", "\(subject) may be \(refused.listed)", .widens) }
            tell("enum", "\(subject) may only be \(values.listed)", .narrows, at: "enum")
        default: return false
        }
        return true
    }

    private mutating func compareValues() {
        switch (before.values, after.values) {
        case (nil, nil): return
        case (nil, let values?):
            tell("enum", "\(subject) may only be \(values.listed)", .narrows, at: "enum")
        case (let values?, nil):
            tell("enum", "\(subject) may be a value other than \(values.listed)", .widens, at: "enum")
        case (let old?, let new?):
            let (oldSet, newSet) = (Set(old), Set(new))
            let added = new.filter { !oldSet.contains($0) }
            let removed = old.filter { !newSet.contains($0) }
            if let first = added.first {
                tell("enum", "\(subject) may be \(added.listed)", .widens, at: nil, first.position)
            }
            if let first = removed.first {
                tell("enum", "\(subject) may no longer be \(removed.listed)", .narrows, at: "enum", old: first.position)
            }
        }
    }
}
