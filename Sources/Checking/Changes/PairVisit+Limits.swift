import JSON
import JSONSchema

/// Limits, patterns, formats and defaults.
extension PairVisit {
    mutating func compareLimits() {
        // Changes other than integers have been reported.
        let areIntegers = !before.kinds.contains(.fraction) || !after.kinds.contains(.fraction)
        for measure in Measure.allCases {
            if measure == .contained, before.conditions[.contains] == nil || after.conditions[.contains] == nil {
                continue
            }
            var (old, new) = (before.limits[measure] ?? ValueInterval(), after.limits[measure] ?? ValueInterval())
            old.round(to: measure, integers: areIntegers)
            new.round(to: measure, integers: areIntegers)
            compare(old.lower, new.lower, of: measure, isLower: true)
            compare(old.upper, new.upper, of: measure, isLower: false)
        }
        func telling(_ steps: [JSONNumber]) -> [JSONNumber] {
            steps.filter { !areIntegers || (1 as JSONNumber).isMultiple(of: $0) != true }
        }
        let (old, new) = (telling(before.steps), telling(after.steps))
        if old != new { tellLimit("multipleOf", old.shown, new.shown, Self.shift(old, new)) }
        if before.isUnique != after.isUnique {
            let isNew = after.isUnique
            let hasSeveral = sender.limits[.items]?.upper.map { $0.number > 1 } ?? true
            let shift: ValueShift = isNew ? .narrows : .widensSlightly
            tellLimit("uniqueItems", isNew ? nil : "true", isNew ? "true" : nil, hasSeveral ? shift : harmlessShift)
        }
    }

    private mutating func compare(
        _ old: ValueInterval.End?,
        _ new: ValueInterval.End?,
        of measure: Measure,
        isLower: Bool
    ) {
        func isStricter(_ one: ValueInterval.End, _ other: ValueInterval.End) -> Bool {
            isLower ? ValueInterval.isHigher(one, than: other) : ValueInterval.isLower(one, than: other)
        }
        let (sent, read) = direction == .request ? (old, new) : (new, old)
        let isRelevant = read.map { read in sent.map { !$0.isSame(as: read) && isStricter(read, $0) } ?? true } ?? false
        let isHarmless = isRelevant && direction != .unclear && liesWithin(read, of: measure, isLower: isLower)
        func shift(_ shift: ValueShift) -> ValueShift { isHarmless ? harmlessShift : shift }
        switch (old, new) {
        case (let old?, let new?):
            guard !old.isSame(as: new) else { return }
            let former = old.keyword == new.keyword ? "it" : "\"\(old.keyword)\""
            let text = "\(subject): \"\(new.keyword)\" is \(new.written); \(former) was \(old.written)"
            tell("limit", text, shift(isStricter(new, old) ? .narrows : .widensSlightly), at: new.keyword)
        case (let old?, nil): tellLimit(old.keyword, old.written.description, nil, shift(.widensSlightly))
        case (nil, let new?): tellLimit(new.keyword, nil, new.written.description, shift(.narrows))
        case (nil, nil): return
        }
    }

    /// The shift of a change that concerns no value that is sent.
    private var harmlessShift: ValueShift { direction == .request ? .widens : .narrows }

    /// Returns whether other keywords of the sender keep all values within an end of the reader's; a value that proves
    /// the opposite becomes a candidate.
    private mutating func liesWithin(_ end: ValueInterval.End?, of measure: Measure, isLower: Bool) -> Bool {
        guard let end else { return false }
        let schemas = sender.parts
        let found: ScalarSearch
        switch measure {
        case .length:
            guard let length = end.number.int, isLower || length < .max else { return false }
            let lengths = isLower ? 0...max(length - 1, 0) : length + 1...Int.max
            found = SchemaSampler.text(of: schemas, in: sender.revision.program, lengths: lengths)
        case .number:
            var outside = NumberConstraints()
            if isLower {
                outside.lower(to: end.number, excluded: !end.isExclusive)
            } else {
                outside.raise(to: end.number, excluded: !end.isExclusive)
            }
            found = SchemaSampler.number(of: schemas, in: sender.revision.program, outside)
        case .properties where isLower:
            addCandidates(ofCount: end.number.int.map { $0 - 1 })
            return end.number <= JSONNumber(sender.required.keys.count { isSent($0) })
        case .properties:
            addCandidates(ofCount: end.number.int.map { $0 + 1 })
            let isLimited = sender.isClosed && sender.patternProperties.all.isEmpty
            return isLimited && end.number >= JSONNumber(sender.properties.all.count)
        case .items, .contained: return false
        }
        if case .value(let value) = found { candidates.append(value) }
        return found == .impossible
    }

    /// Adds objects with a number of properties that no schema names.
    private mutating func addCandidates(ofCount count: Int?) {
        guard let count, 0...100 ~= count else { return }
        for value in [0, "text", .null] as [JSONValue] {
            candidates.append(JSONValue(.object(JSONObject((0..<count).map { ("key\($0)", value) }))))
        }
    }

    private mutating func tellLimit(_ keyword: String, _ old: String?, _ new: String?, _ shift: ValueShift) {
        let text = old.map { "\(new.map { "is \($0)" } ?? "was removed"); it was \($0)" } ?? "\(new ?? "") was added"
        tell("limit", "\(subject): \"\(keyword)\" \(text)", shift, at: keyword)
    }

    /// Compares what numbers must be multiples of.
    private static func shift(_ old: [JSONNumber], _ new: [JSONNumber]) -> ValueShift {
        func implies(_ steps: [JSONNumber], _ others: [JSONNumber]) -> Bool {
            others.allSatisfy { other in steps.contains { $0.isMultiple(of: other) == true } }
        }
        return implies(new, old) ? .narrows : implies(old, new) ? .widensSlightly : .bothSlightly
    }

    /// Compares `pattern` and `format`.
    mutating func compareTexts() {
        if before.patterns != after.patterns {
            let (old, new) = (before.patterns.shown, after.patterns.shown)
            if before.patterns.isSubset(of: after.patterns) {
                tellLimit("pattern", old, new, .narrows)
            } else if after.patterns.isSubset(of: before.patterns) {
                tellLimit("pattern", old, new, .widensSlightly)
            } else {
                // Containment of expressions is undecided, unless a text refutes it.
                let isNarrower = direction == .request && counterexample() != nil
                tellLimit("pattern", old, new, isNarrower ? .narrows : .unknown)
            }
        }
        if before.formats != after.formats {
            tellLimit("format", before.formats.shown, after.formats.shown, Self.shift(before.formats, after.formats))
            // A wider format has other values, whether or not one is found.
            if sender.hasFormatAlone { provenChanges.insert(changes.count - 1) }
        }
    }

    private static func shift(_ old: Set<String>, _ new: Set<String>) -> ValueShift {
        let (removed, added) = (old.subtracting(new), new.subtracting(old))
        switch (removed.first, added.first) {
        case (let old?, let new?) where removed.count == 1 && added.count == 1:
            if FormatChecker.isWider(new, than: old) { return .widens }
            if FormatChecker.isWider(old, than: new) { return .narrows }
        default: break
        }
        // An undefined format requires nothing (JSON Schema 2020-12, validation, section 7.2.3).
        guard removed.union(added).allSatisfy({ FormatChecker.kinds(of: $0) != nil }) else { return .unknown }
        return removed.isEmpty ? .narrows : added.isEmpty ? .widens : .both
    }

    /// A client that sends nothing gets another effect when the default changes; a new one may be what was meant before.
    mutating func compareDefaults() {
        guard direction == .request, let old = before.defaultValue, old != after.defaultValue else { return }
        let text = after.defaultValue.map { "is \($0.shownAsText)" } ?? "was removed"
        tell("default", "\(subject): \"default\" \(text); it was \(old.shownAsText)", .unknown, at: "default")
    }
}
