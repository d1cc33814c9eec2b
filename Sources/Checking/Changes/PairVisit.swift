import Basics
import JSON
import JSONSchema
import OpenAPI

/// The comparison of one pair, without what is inside of it.
struct PairVisit {
    private let before: SchemaView
    private let after: SchemaView
    private let direction: TravelDirection
    private let path: String
    private let oldRevision: ContractRevision
    private let newRevision: ContractRevision
    private let oldPlaces: [SchemaPlace]
    private let newPlaces: [SchemaPlace]
    private let depth: Int
    let position: JSONPosition
    private(set) var changes: [ContractChange] = []
    private(set) var inner: [(old: [SchemaPlace], new: [SchemaPlace], direction: TravelDirection, path: String)] = []

    init(
        _ oldPlaces: [SchemaPlace],
        _ newPlaces: [SchemaPlace],
        _ direction: TravelDirection,
        _ path: String,
        _ fallback: JSONPosition,
        in old: ContractRevision,
        _ new: ContractRevision,
        _ depth: Int
    ) {
        self.depth = depth
        before = SchemaView(oldPlaces, in: old)
        after = SchemaView(newPlaces, in: new)
        self.oldPlaces = oldPlaces
        self.newPlaces = newPlaces
        self.direction = direction
        self.path = path
        oldRevision = old
        newRevision = new
        position = after.position ?? fallback
    }

    private var subject: String { path.isEmpty ? "the body" : "`\(path)`" }

    mutating func run() {
        guard !isElsewhere(before) || !isElsewhere(after) else { return }
        guard !compareChoice(), compareKinds(), !compareListWithSchema(), !compareOneWithSeveral() else { return }
        compareValues()
        compareLimits()
        compareTexts()
        compareDefaults()
        compareOthers()
        compareObjects()
        compareArrays()
        compareAlternatives()
        compareConditions()
    }

    private mutating func tell(
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

    /// - Returns: whether some kind of value but null is allowed by both.
    private mutating func compareKinds() -> Bool {
        let added = after.kinds.subtracting(before.kinds)
        let removed = before.kinds.subtracting(after.kinds)
        // Listed values are compared by themselves.
        let areListed = before.values != nil && after.values != nil
        let isOther = !areListed && !added.union(removed).subtracting(.null).isEmpty
        if isOther {
            let shift: ValueShift = added.isEmpty ? .narrows : removed.isEmpty ? .widens : .both
            tell("type", "\(subject) is \(after.kindText), and was \(before.kindText)", shift, at: "type")
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
            tell("enum", "\(subject) may be another value than \(values.listed)", .widens, at: "enum")
        case (.response, nil, let values?):
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
            tell("enum", "\(subject) may be another value than \(values.listed)", .widens, at: "enum")
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

    private mutating func compareLimits() {
        // Changes other than integers have been reported.
        let areIntegers = !before.kinds.contains(.fraction) || !after.kinds.contains(.fraction)
        for measure in Measure.allCases {
            if measure == .contained, before.conditions["contains"] == nil || after.conditions["contains"] == nil {
                continue
            }
            var (old, new) = (before.limits[measure] ?? ValueInterval(), after.limits[measure] ?? ValueInterval())
            old.round(to: measure, integers: areIntegers)
            new.round(to: measure, integers: areIntegers)
            compare(old.lower, new.lower) { ValueInterval.isHigher($0, than: $1) }
            compare(old.upper, new.upper) { ValueInterval.isLower($0, than: $1) }
        }
        func telling(_ steps: [JSONNumber]) -> [JSONNumber] {
            steps.filter { !areIntegers || (1 as JSONNumber).isMultiple(of: $0) != true }
        }
        let (old, new) = (telling(before.steps), telling(after.steps))
        if old != new { tellLimit("multipleOf", old.shown, new.shown, Self.shift(old, new)) }
        if before.isUnique != after.isUnique {
            let isNew = after.isUnique
            tellLimit("uniqueItems", isNew ? nil : "true", isNew ? "true" : nil, isNew ? .narrows : .widensSlightly)
        }
    }

    private mutating func compare(
        _ old: ValueInterval.End?,
        _ new: ValueInterval.End?,
        isStricter: (ValueInterval.End, ValueInterval.End) -> Bool
    ) {
        switch (old, new) {
        case (let old?, let new?):
            guard !old.isSame(as: new) else { return }
            let was = old.keyword == new.keyword ? "" : "\"\(old.keyword)\" "
            let text = "\(subject): \"\(new.keyword)\" is \(new.written), and \(was)was \(old.written)"
            tell("limit", text, isStricter(new, old) ? .narrows : .widensSlightly, at: new.keyword)
        case (let old?, nil): tellLimit(old.keyword, old.written.description, nil, .widensSlightly)
        case (nil, let new?): tellLimit(new.keyword, nil, new.written.description, .narrows)
        case (nil, nil): return
        }
    }

    private mutating func tellLimit(_ keyword: String, _ old: String?, _ new: String?, _ shift: ValueShift) {
        let text = new.map { "is \($0)" } ?? "is gone"
        let was = old.map { ", and was \($0)" } ?? ", and is new"
        tell("limit", "\(subject): \"\(keyword)\" \(text)\(was)", shift, at: keyword)
    }

    /// Compares what numbers must be multiples of.
    private static func shift(_ old: [JSONNumber], _ new: [JSONNumber]) -> ValueShift {
        func implies(_ steps: [JSONNumber], _ others: [JSONNumber]) -> Bool {
            others.allSatisfy { other in steps.contains { $0.isMultiple(of: other) == true } }
        }
        return implies(new, old) ? .narrows : implies(old, new) ? .widensSlightly : .both
    }

    /// Compares `pattern` and `format`.
    private mutating func compareTexts() {
        if before.patterns != after.patterns {
            let shift: ValueShift =
                before.patterns.isSubset(of: after.patterns)
                ? .narrows
                : after.patterns.isSubset(of: before.patterns)
                    ? .widensSlightly
                    // Containment of one expression in another is not decided.
                    : .unknown
            tellLimit("pattern", before.patterns.shown, after.patterns.shown, shift)
        }
        if before.formats != after.formats {
            tellLimit("format", before.formats.shown, after.formats.shown, Self.shift(before.formats, after.formats))
        }
    }

    private static func shift(_ old: Set<String>, _ new: Set<String>) -> ValueShift {
        let (removed, added) = (old.subtracting(new), new.subtracting(old))
        switch (removed.first, added.first) {
        case ("int32", "int64"), ("float", "double"): return .widens
        case ("int64", "int32"), ("double", "float"): return .narrows
        default: break
        }
        // An undefined format requires nothing (JSON Schema 2020-12, validation, section 7.2.3).
        guard removed.union(added).allSatisfy(isDefined) else { return .unknown }
        return removed.isEmpty ? .narrows : added.isEmpty ? .widens : .both
    }

    private static func isDefined(_ format: String) -> Bool {
        FormatChecker.knows(format)
            || ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double"]
                .contains(format)
    }

    /// A client that sends nothing gets another effect when the default changes; a new one may be what was meant before.
    private mutating func compareDefaults() {
        guard direction == .request, let old = before.defaultValue, old != after.defaultValue else { return }
        let text = after.defaultValue.map { "is \($0.shownAsText)" } ?? "is gone"
        tell("default", "\(subject): \"default\" \(text), and was \(old.shownAsText)", .unknown, at: "default")
    }

    private mutating func compareOthers() {
        for name in Set(before.dependents.keys).union(after.dependents.keys).sorted() {
            let (old, new) = (before.dependents[name] ?? [], after.dependents[name] ?? [])
            let (added, removed) = (new.subtracting(old).shown, old.subtracting(new).shown)
            let keyword = "dependentRequired"
            if let added {
                tell("required", "\(subject): \(added) is required together with \"\(name)\"", .narrows, at: keyword)
            }
            if let removed {
                tell(
                    "required",
                    "\(subject): \(removed) is no longer required together with \"\(name)\"",
                    .widens,
                    at: keyword
                )
            }
        }
        if let old = before.discriminator, let new = after.discriminator, old != new {
            let text = "is \"\(new.property)\", and was \"\(old.property)\""
            if old.property != new.property {
                tell("discriminator", "\(subject): the discriminator \(text)", .both, at: "discriminator")
            } else {
                compareMappings(old.mapping, new.mapping)
            }
        } else if (before.discriminator == nil) != (after.discriminator == nil) {
            let text = before.discriminator == nil ? "new" : "gone"
            tell("discriminator", "\(subject): the discriminator is \(text)", .unknown, at: "discriminator")
        }
        for keyword in Set(before.others.keys).union(after.others.keys).sorted() {
            let (old, new) = (before.others[keyword] ?? [], after.others[keyword] ?? [])
            if old != new { tell("unclear", "\(subject): \"\(keyword)\" has changed", .unknown, at: keyword) }
        }
    }

    private mutating func compareMappings(_ old: [String: JSONPointer], _ new: [String: JSONPointer]) {
        for name in Set(old.keys).union(new.keys).sorted() where old[name] != new[name] {
            let (shift, text): (ValueShift, String) =
                new[name] == nil
                ? (.narrows, "is gone") : old[name] == nil ? (.widens, "is new") : (.both, "has changed")
            let sentence = "\(subject): the discriminator's name \"\(name)\" \(text)"
            tell("discriminator", sentence, shift, at: "discriminator")
        }
    }

    private mutating func compareArrays() {
        guard before.kinds.contains(.array), after.kinds.contains(.array) else { return }
        let count = max(before.prefix.count, after.prefix.count)
        for number in 0..<count {
            let old = number < before.prefix.count ? before.prefix[number] : before.items
            let new = number < after.prefix.count ? after.prefix[number] : after.items
            inner.append((old, new, direction, "\(path)[\(number)]"))
        }
        if !before.items.isEmpty || !after.items.isEmpty {
            inner.append((before.items, after.items, direction, path + "[]"))
        }
    }

    private mutating func compareConditions() {
        for keyword in Set(before.conditions.keys).union(after.conditions.keys).sorted() {
            let old = before.conditions[keyword] ?? []
            let new = after.conditions[keyword] ?? []
            if old.count == new.count {
                let direction = keyword == "propertyNames" ? direction : .unclear
                for (one, other) in zip(old, new) { inner.append(([one], [other], direction, path)) }
            } else {
                tellUnclear("\(subject): \"\(keyword)\" has changed", at: keyword)
            }
        }
    }

    private mutating func tellUnclear(_ sentence: String, at keyword: String? = nil) {
        tell("unclear", sentence, .unknown, at: keyword)
    }
}

extension PairVisit {
    private func way(_ name: ExactText) -> String { path.isEmpty ? name.text : "\(path).\(name.text)" }

    private mutating func compareObjects() {
        guard before.kinds.contains(.object), after.kinds.contains(.object) else { return }
        for (name, old) in before.properties.all {
            guard let new = after.properties[name] else {
                compareRemoved(name, old)
                continue
            }
            switch (travels(old, in: oldRevision), travels(new, in: newRevision)) {
            case (true, true): inner.append((old, new, direction, way(name)))
            case (true, false): tellRemoved(name, "is \(elsewhere)", old)
            case (false, true): tellAdded(name, "is no longer \(elsewhere)", new)
            case (false, false): continue
            }
        }
        for (name, new) in after.properties.all where before.properties[name] == nil { compareAdded(name, new) }
        compareRequired()
        for (name, old) in before.patternProperties.all {
            guard let new = after.patternProperties[name] else { continue }
            inner.append((old, new, direction, "\(path).*"))
        }
        if before.patternProperties.all.count != after.patternProperties.all.count
            || before.patternProperties.all.contains(where: { after.patternProperties[$0.name] == nil })
        {
            tellUnclear("\(subject): \"patternProperties\" has changed", at: "patternProperties")
        }
        compareAdditional()
    }

    /// Returns whether the other side makes it, so that it is not in messages of this direction.
    private func isElsewhere(_ view: SchemaView) -> Bool {
        direction == .request && view.isReadOnly || direction == .response && view.isWriteOnly
    }

    private func travels(_ places: [SchemaPlace], in revision: ContractRevision) -> Bool {
        !isElsewhere(SchemaView(places, in: revision))
    }

    /// The description of a property that is not in messages of this direction.
    private var elsewhere: String { direction == .request ? "read-only" : "write-only" }

    private mutating func compareRemoved(_ name: ExactText, _ old: [SchemaPlace]) {
        guard travels(old, in: oldRevision) else { return }
        tellRemoved(name, "is gone", old)
        if !after.additional.isEmpty, !after.isClosed { inner.append((old, after.additional, direction, way(name))) }
    }

    private mutating func tellRemoved(_ name: ExactText, _ text: String, _ old: [SchemaPlace]) {
        let isRefused = after.isClosed && after.properties[name] == nil
        let shift: ValueShift =
            switch direction {
            case .response where before.required[name] != nil: .widens
            case .response: .widensSlightly
            // The server may or may not reject values that it no longer documents.
            case .request, .unclear: isRefused ? .narrows : .unknown
            }
        tell(
            "property-removed",
            "`\(way(name))` \(text)",
            shift,
            at: "properties",
            old: old.first.map(oldRevision.position)
        )
    }

    private mutating func compareAdded(_ name: ExactText, _ new: [SchemaPlace]) {
        guard travels(new, in: newRevision) else { return }
        if before.required[name] != nil || !before.additional.isEmpty && !before.isClosed {
            inner.append((before.additional, new, direction, way(name)))
        }
        if before.required[name] == nil { tellAdded(name, "is new", new) }
    }

    private mutating func tellAdded(_ name: ExactText, _ text: String, _ new: [SchemaPlace]) {
        let isRequired = after.required[name] != nil
        let shift: ValueShift =
            switch direction {
            case .response: before.isClosed ? .widensSlightly : .narrows
            case .request, .unclear: isRequired ? .narrows : .widens
            }
        let text = isRequired ? "\(text) and required" : text
        tell(
            "property-added",
            "`\(way(name))` \(text)",
            shift,
            new.first.map(newRevision.position),
            old: before.position
        )
    }

    /// Compares what is required, whether or not it has a schema; properties that are new or gone are reported elsewhere.
    private mutating func compareRequired() {
        for name in after.required.keys.sorted(by: { $0.text < $1.text }) where before.required[name] == nil {
            let (old, new) = (before.properties[name], after.properties[name])
            if let new, old.map({ !travels($0, in: oldRevision) }) ?? true || !travels(new, in: newRevision) {
                continue
            }
            let position = old?.first.map(oldRevision.position)
            tell("required", "`\(way(name))` is required", .narrows, after.position(ofRequired: name), old: position)
        }
        for name in before.required.keys.sorted(by: { $0.text < $1.text }) where after.required[name] == nil {
            let (old, new) = (before.properties[name], after.properties[name])
            if let old, new.map({ !travels($0, in: newRevision) }) ?? true || !travels(old, in: oldRevision) {
                continue
            }
            let position = new?.first.map(newRevision.position)
            let place = before.position(ofRequired: name)
            tell("required", "`\(way(name))` is no longer required", .widens, position, old: place)
        }
    }

    private mutating func compareAdditional() {
        let keyword = "additionalProperties"
        switch (before.isClosed, after.isClosed) {
        case (true, true): return
        case (true, false): tell("additional", "\(subject) may have more properties", .widensSlightly, at: keyword)
        case (false, true): tell("additional", "\(subject) may have no other properties", .narrows, at: keyword)
        case (false, false):
            guard !before.additional.isEmpty || !after.additional.isEmpty else { return }
            // Without properties it is a map, whose values matter; else it says what the unknown ones would be.
            inner.append((before.additional, after.additional, direction, "\(path).*"))
        }
    }

    private mutating func compareAlternatives() {
        guard before.groups.count == 1, after.groups.count == 1 else {
            compareGroupCounts()
            return
        }
        var added: [SchemaPlace] = []
        var removed = before.groups[0].alternatives
        for place in after.groups[0].alternatives {
            guard let number = removed.firstIndex(where: { isSame($0, place) }) else {
                added.append(place)
                continue
            }
            inner.append(([removed.remove(at: number)], [place], direction, path))
        }
        if added.count == removed.count {
            // Renamed, or changed inside.
            for (old, new) in zip(removed, added) { inner.append(([old], [new], direction, path)) }
            return
        }
        guard added.allSatisfy(newRevision.isNamed), removed.allSatisfy(oldRevision.isNamed) else {
            tellAlternatives()
            return
        }
        for place in added {
            tell(
                "alternative",
                "\(subject) may be \(newRevision.name(of: place))",
                .widens,
                newRevision.position(of: place)
            )
        }
        for place in removed {
            let sentence = "\(subject) may no longer be \(oldRevision.name(of: place))"
            tell("alternative", sentence, .narrows, old: oldRevision.position(of: place))
        }
    }

    private mutating func compareGroupCounts() {
        let (old, new) = (before.groups, after.groups)
        if old.count != new.count
            || zip(old, new).contains(where: {
                $0.alternatives.map(oldRevision.source) != $1.alternatives.map(newRevision.source)
            })
        {
            tellAlternatives()
        }
    }

    /// Names a change of alternatives, with a verdict if one can be proved.
    ///
    /// Each alternative of the sender must be one of the receiver's.
    private mutating func tellAlternatives() {
        let isProved =
            switch direction {
            case .unclear: false
            case .request:
                oldRevision.alternatives(of: oldPlaces, before).allSatisfy { sent in
                    newRevision.alternatives(of: newPlaces, after).contains { read in isSafe(sent, read) }
                }
            case .response:
                newRevision.alternatives(of: newPlaces, after).allSatisfy { sent in
                    oldRevision.alternatives(of: oldPlaces, before).contains { read in isSafe(read, sent) }
                }
            }
        let shift: ValueShift = isProved ? (direction == .response ? .narrows : .widens) : .unknown
        tell("unclear", "\(subject): the alternatives have changed", shift, at: after.groups.first?.choice.keyword)
    }

    private func isSafe(_ old: [SchemaPlace], _ new: [SchemaPlace]) -> Bool {
        SchemaComparison.isSafe(old, in: oldRevision, new, in: newRevision, direction, depth: depth)
    }

    /// Compares a schema without alternatives with one that has them: what is sent must be one of what is read.
    ///
    /// - Returns: whether it was that, so that nothing else is left to compare here.
    private mutating func compareOneWithSeveral() -> Bool {
        guard before.groups.isEmpty != after.groups.isEmpty, direction != .unclear else { return false }
        let isReadByOne = direction == .response ? before.groups.isEmpty : after.groups.isEmpty
        let old = oldRevision.alternatives(of: oldPlaces, before)
        let new = newRevision.alternatives(of: newPlaces, after)
        guard isReadByOne, before.groups.count + after.groups.count == 1 else {
            tellAlternatives()
            return true
        }
        if old.allSatisfy({ one in new.allSatisfy { isSafe(one, $0) } }) {
            tellAlternatives()
            return true
        }
        for one in old {
            for other in new {
                // A kind that is new or gone has been reported.
                let kinds = SchemaView(one, in: oldRevision).kinds.intersection(
                    SchemaView(other, in: newRevision).kinds
                )
                if kinds.isEmpty || kinds == .null { continue }
                inner.append((one, other, direction, path))
            }
        }
        return true
    }

    /// Recognises one schema that has become an alternative next to others, or the other way round.
    ///
    /// - Returns: whether it was that, so that nothing else is left to compare here.
    private mutating func compareChoice() -> Bool {
        guard let old = oldPlaces.first, let new = newPlaces.first, oldPlaces.count == 1, newPlaces.count == 1 else {
            return false
        }
        switch (before.groups.count, after.groups.count) {
        case (0, 1):
            let meant = oldRevision.meant(by: old)
            let alternatives = after.groups[0].alternatives
            let pointer = oldRevision.pointer(to: meant)
            let number = alternatives.firstIndex { newRevision.pointer(to: newRevision.meant(by: $0)) == pointer }
            guard let number else { return false }
            tell("alternative", "\(subject) may be one of \(alternatives.count) alternatives", .widens)
            inner.append(([meant], [alternatives[number]], direction, path))
        case (1, 0):
            let meant = newRevision.meant(by: new)
            let alternatives = before.groups[0].alternatives
            let pointer = newRevision.pointer(to: meant)
            let number = alternatives.firstIndex { oldRevision.pointer(to: oldRevision.meant(by: $0)) == pointer }
            guard let number else { return false }
            tell("alternative", "\(subject) is no longer one of several alternatives", .narrows)
            inner.append(([alternatives[number]], [meant], direction, path))
        default: return false
        }
        return true
    }
}

extension PairVisit {
    /// Returns whether two revisions mean the same alternative: the same reference, title, or schema.
    private func isSame(_ old: SchemaPlace, _ new: SchemaPlace) -> Bool {
        let (one, other) = (oldRevision.facts(of: old).annotations, newRevision.facts(of: new).annotations)
        if let reference = one.reference { return reference == other.reference }
        if let title = one.title { return title == other.title }
        return oldRevision.source(of: old) == newRevision.source(of: new)
    }
}

extension ValueKinds {
    /// The names of the kinds but null, in the order of messages.
    fileprivate var names: [String] {
        let named: [(kind: ValueKinds, name: String)] = [
            (.boolean, "boolean"), (contains(.number) ? .number : .integer, contains(.number) ? "number" : "integer"),
            (contains(.number) ? [] : .fraction, "number with a fraction"), (.string, "string"), (.array, "array"),
            (.object, "object"),
        ]
        return named.filter { !$0.kind.isEmpty && isSuperset(of: $0.kind) }.map(\.name)
    }

    var singleName: String? { self == .null ? "null" : names.count == 1 ? names[0] : nil }
}

extension String {
    /// A type of JSON Schema with its article.
    var withArticleOfKind: String {
        switch self {
        case "null": self
        case "array", "integer", "object": "an \(self)"
        default: "a \(self)"
        }
    }
}

extension SchemaView {
    /// The kinds but null in words.
    fileprivate var kindText: String {
        if kinds.union(.null) == .all { return "of any type" }
        let names = kinds.names
        if names.isEmpty { return kinds.isEmpty ? "nothing" : "null" }
        return names.map(\.withArticleOfKind).joined(separator: " or ")
    }
}

extension Collection<String> {
    /// The texts as JSON in order; `nil` when there are none.
    fileprivate var shown: String? {
        isEmpty ? nil : sorted().map { JSONValue(.string($0)).shownAsText }.joined(separator: " and ")
    }
}

extension [JSONNumber] {
    /// The numbers in order; `nil` when there are none.
    fileprivate var shown: String? { isEmpty ? nil : sorted().map(\.description).joined(separator: " and ") }
}

extension [JSONValue] {
    /// The first of them in words.
    fileprivate var listed: String {
        let shown = prefix(5).map(\.shownAsText).joined(separator: ", ")
        return count > 5 ? "\(shown) or \(count - 5) more" : shown
    }
}

extension JSONValue {
    /// The value as JSON, cut where it is long.
    fileprivate var shownAsText: String {
        let text = description
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}
