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
            let former = old.keyword == new.keyword ? "it" : "\"\(old.keyword)\""
            let text = "\(subject): \"\(new.keyword)\" is \(new.written); \(former) was \(old.written)"
            tell("limit", text, isStricter(new, old) ? .narrows : .widensSlightly, at: new.keyword)
        case (let old?, nil): tellLimit(old.keyword, old.written.description, nil, .widensSlightly)
        case (nil, let new?): tellLimit(new.keyword, nil, new.written.description, .narrows)
        case (nil, nil): return
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
