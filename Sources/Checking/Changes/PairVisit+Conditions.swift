import JSON
import JSONSchema

/// Elements of arrays, and keywords whose schemas decide on a value without describing a part of it.
extension PairVisit {
    mutating func compareArrays() {
        guard before.kinds.contains(.array), after.kinds.contains(.array) else { return }
        let most = [before, after].compactMap { $0.limits[.items]?.upper?.number.int }.min() ?? .max
        for number in 0..<min(max(before.prefix.count, after.prefix.count), most) {
            let old = number < before.prefix.count ? before.prefix[number] : before.items
            let new = number < after.prefix.count ? after.prefix[number] : after.items
            compareElement(old, new, at: "\(path)[\(number)]")
        }
        // Elements behind both prefixes, if there may be any.
        if !before.items.isEmpty || !after.items.isEmpty, most > max(before.prefix.count, after.prefix.count) {
            compareElement(before.items, after.items, at: path + "[]")
        }
    }

    private mutating func compareElement(_ old: [SchemaPlace], _ new: [SchemaPlace], at path: String) {
        if sender.hasConditionsOfElements {
            compareConditional(old, new, at: path)
        } else {
            compareInner(old, new, at: path)
        }
    }

    mutating func compareConditions() {
        // With a greatest number, fewer elements that match are wider, and with a least one they are narrower.
        let isCountedUp = before.limits[.contained]?.upper == nil && after.limits[.contained]?.upper == nil
        compareCondition(.contains, isCountedUp ? direction : .unclear, at: path + "[]")
        compareCondition(.propertyNames, direction, at: "\(path).<name>")
        compareCondition(.unevaluatedProperties, direction, at: "\(path).*")
        compareCondition(.unevaluatedItems, direction, at: path + "[]")
        compareEvaluated()
        compareNot()
        compareIf()
    }

    private mutating func compareCondition(
        _ condition: SchemaView.Condition,
        _ direction: TravelDirection,
        at path: String
    ) {
        let (old, new) = (before.conditions[condition] ?? [], after.conditions[condition] ?? [])
        let keyword = condition.rawValue
        if old.count == new.count {
            for (one, other) in zip(old, new) { compareInner([one], [other], direction, at: path) }
        } else if old.isEmpty || new.isEmpty {
            let sentence = "\(subject): \"\(keyword)\" \(old.isEmpty ? "is new" : "was removed")"
            tell("condition", sentence, old.isEmpty ? .narrows : .widensSlightly, at: keyword)
        } else {
            tellUncertain("\(subject): \"\(keyword)\" has changed", nil, at: keyword)
        }
    }

    /// The parts that `unevaluatedProperties` and `unevaluatedItems` are about depend on every alternative and condition.
    private mutating func compareEvaluated() {
        for condition in [SchemaView.Condition.unevaluatedProperties, .unevaluatedItems] {
            guard before.conditions[condition] != nil, after.conditions[condition] != nil, direction != .unclear,
                SchemaComparison.differs(oldPlaces, in: oldRevision, newPlaces, in: newRevision, depth: depth)
            else { continue }
            let keyword = condition.rawValue
            tellUncertain("\(subject): the subschemas of \"\(keyword)\" have changed", nil, at: keyword)
        }
    }

    private mutating func compareNot() {
        let (old, new) = (before.conditions[.not] ?? [], after.conditions[.not] ?? [])
        guard !old.isEmpty || !new.isEmpty else { return }
        // More is refused where every schema that refused values lies in one that does now.
        let isNarrower = old.allSatisfy { one in new.contains { widens(one, $0) } }
        let isWider = new.allSatisfy { other in old.contains { narrows($0, other) } }
        if isNarrower, isWider { return }
        let text = old.isEmpty ? "is new" : new.isEmpty ? "was removed" : "has changed"
        tellUncertain("\(subject): \"not\" \(text)", isNarrower ? .narrows : isWider ? .widens : nil, at: "not")
    }

    private mutating func compareIf() {
        let (old, new) = (before.choices, after.choices)
        func place(_ schema: SchemaID?) -> [SchemaPlace] { schema.map { [SchemaPlace($0)] } ?? [] }
        func isSameTest(_ one: ChoiceFacts.Condition, _ other: ChoiceFacts.Condition) -> Bool {
            let (one, other) = (SchemaPlace(one.test), SchemaPlace(other.test))
            return narrows(one, other) && widens(one, other)
        }
        if old.count == new.count, zip(old, new).allSatisfy(isSameTest) {
            for (one, other) in zip(old, new) {
                compareConditional(place(one.then), place(other.then))
                compareConditional(place(one.otherwise), place(other.otherwise))
            }
        } else {
            let shift: ValueShift? = old.isEmpty ? .narrows : new.isEmpty ? .widens : nil
            let text = old.isEmpty ? "is new" : new.isEmpty ? "was removed" : "has changed"
            tellUncertain("\(subject): \"if\" \(text)", shift, at: "if")
        }
    }

    /// Compares `contentEncoding`, `contentMediaType` and `contentSchema`, which refuse no value.
    mutating func compareContent() {
        guard direction != .subset else { return }
        for keyword in Set(before.others.keys).union(after.others.keys).sorted() {
            let (old, new) = (before.others[keyword] ?? [], after.others[keyword] ?? [])
            if old != new { tell("unclear", "\(subject): \"\(keyword)\" has changed", .unknown, at: keyword) }
        }
    }
}
