import JSON
import JSONSchema

/// Elements of arrays, and keywords whose schemas decide on a value without describing a part of it.
extension PairVisit {
    mutating func compareArrays() {
        guard pair.before.kinds.contains(.array), pair.after.kinds.contains(.array) else { return }
        let most = [pair.before, pair.after].compactMap { $0.limits[.items]?.upper?.number.int }.min() ?? .max
        for number in 0..<min(max(pair.before.prefix.count, pair.after.prefix.count), most) {
            let old = number < pair.before.prefix.count ? pair.before.prefix[number] : pair.before.items
            let new = number < pair.after.prefix.count ? pair.after.prefix[number] : pair.after.items
            compareElement(old, new, at: "\(pair.path)[\(number)]")
        }
        // Elements behind both prefixes, if there may be any.
        if !pair.before.items.isEmpty || !pair.after.items.isEmpty,
            most > max(pair.before.prefix.count, pair.after.prefix.count)
        {
            compareElement(pair.before.items, pair.after.items, at: pair.path + "[]")
        }
    }

    private mutating func compareElement(_ old: [SchemaPlace], _ new: [SchemaPlace], at path: String) {
        if pair.sender.hasConditionsOfElements {
            compareConditional(old, new, at: path)
        } else {
            compareInner(old, new, at: path)
        }
    }

    mutating func compareConditions() {
        // With a greatest number, fewer elements that match are wider, and with a least one they are narrower.
        let isCountedUp = pair.before.limits[.contained]?.upper == nil && pair.after.limits[.contained]?.upper == nil
        compareCondition(.contains, isCountedUp ? pair.direction : .unclear, at: pair.path + "[]")
        compareCondition(.propertyNames, pair.direction, at: "\(pair.path).<name>")
        compareCondition(.unevaluatedProperties, pair.direction, at: "\(pair.path).*")
        compareCondition(.unevaluatedItems, pair.direction, at: pair.path + "[]")
        compareEvaluated()
        compareNot()
        compareIf()
    }

    private mutating func compareCondition(
        _ condition: SchemaView.Condition,
        _ direction: TravelDirection,
        at path: String
    ) {
        let (old, new) = (pair.before.conditions[condition] ?? [], pair.after.conditions[condition] ?? [])
        let keyword = condition.rawValue
        if old.count == new.count {
            for (one, other) in zip(old, new) { compareInner([one], [other], direction, at: path) }
        } else if old.isEmpty || new.isEmpty {
            let sentence = "\(pair.subject): \"\(keyword)\" \(old.isEmpty ? "is new" : "was removed")"
            tell("condition", sentence, old.isEmpty ? .narrows : .widensSlightly, at: keyword)
        } else {
            tellUncertain("\(pair.subject): \"\(keyword)\" has changed", nil, at: keyword)
        }
    }

    /// The parts that `unevaluatedProperties` and `unevaluatedItems` are about depend on every alternative and condition.
    private mutating func compareEvaluated() {
        for condition in [SchemaView.Condition.unevaluatedProperties, .unevaluatedItems] {
            guard pair.before.conditions[condition] != nil, pair.after.conditions[condition] != nil,
                pair.direction != .unclear,
                SchemaComparison.differs(
                    pair.oldPlaces,
                    in: pair.oldRevision,
                    pair.newPlaces,
                    in: pair.newRevision,
                    depth: pair.depth
                )
            else { continue }
            let keyword = condition.rawValue
            tellUncertain("\(pair.subject): the subschemas of \"\(keyword)\" have changed", nil, at: keyword)
        }
    }

    private mutating func compareNot() {
        let (old, new) = (pair.before.conditions[.not] ?? [], pair.after.conditions[.not] ?? [])
        guard !old.isEmpty || !new.isEmpty else { return }
        // More is refused where every schema that refused values lies in one that does now.
        let isNarrower = old.allSatisfy { one in new.contains { pair.widens(one, $0) } }
        let isWider = new.allSatisfy { other in old.contains { pair.narrows($0, other) } }
        if isNarrower, isWider { return }
        let text = old.isEmpty ? "is new" : new.isEmpty ? "was removed" : "has changed"
        tellUncertain("\(pair.subject): \"not\" \(text)", isNarrower ? .narrows : isWider ? .widens : nil, at: "not")
    }

    private mutating func compareIf() {
        let (old, new) = (pair.before.choices, pair.after.choices)
        func place(_ schema: SchemaID?) -> [SchemaPlace] { schema.map { [SchemaPlace($0)] } ?? [] }
        func isSameTest(_ one: ChoiceFacts.Condition, _ other: ChoiceFacts.Condition) -> Bool {
            let (one, other) = (SchemaPlace(one.test), SchemaPlace(other.test))
            return pair.narrows(one, other) && pair.widens(one, other)
        }
        if old.count == new.count, zip(old, new).allSatisfy(isSameTest) {
            for (one, other) in zip(old, new) {
                compareConditional(place(one.then), place(other.then))
                compareConditional(place(one.otherwise), place(other.otherwise))
            }
        } else {
            let shift: ValueShift? = old.isEmpty ? .narrows : new.isEmpty ? .widens : nil
            let text = old.isEmpty ? "is new" : new.isEmpty ? "was removed" : "has changed"
            tellUncertain("\(pair.subject): \"if\" \(text)", shift, at: "if")
        }
    }

    /// Compares `contentEncoding`, `contentMediaType` and `contentSchema`, which refuse no value.
    mutating func compareContent() {
        guard pair.direction != .subset else { return }
        for keyword in Set(pair.before.others.keys).union(pair.after.others.keys).sorted() {
            let (old, new) = (pair.before.others[keyword] ?? [], pair.after.others[keyword] ?? [])
            if old != new { tell("unclear", "\(pair.subject): \"\(keyword)\" has changed", .unknown, at: keyword) }
        }
    }
}
