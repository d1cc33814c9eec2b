import JSON
import JSONSchema

/// Limits, patterns, formats and defaults.
extension PairVisit {
    mutating func compareLimits() {
        // Changes other than integers have been reported.
        let areIntegers = !pair.before.kinds.contains(.fraction) || !pair.after.kinds.contains(.fraction)
        for measure in Measure.allCases {
            if measure == .contained,
                pair.before.conditions[.contains] == nil || pair.after.conditions[.contains] == nil
            {
                continue
            }
            var (old, new) = (
                pair.before.limits[measure] ?? ValueInterval(), pair.after.limits[measure] ?? ValueInterval()
            )
            old.round(to: measure, integers: areIntegers)
            new.round(to: measure, integers: areIntegers)
            compare(old.lower, new.lower, of: measure, isLower: true)
            compare(old.upper, new.upper, of: measure, isLower: false)
        }
        func telling(_ steps: [JSONNumber]) -> [JSONNumber] {
            steps.filter { !areIntegers || (1 as JSONNumber).isMultiple(of: $0) != true }
        }
        let (old, new) = (telling(pair.before.steps), telling(pair.after.steps))
        if old != new { tellLimit("multipleOf", old.shown, new.shown, ValueShift(steps: old, new)) }
        if pair.before.isUnique != pair.after.isUnique {
            let isNew = pair.after.isUnique
            let hasSeveral = pair.sender.limits[.items]?.upper.map { $0.number > 1 } ?? true
            let shift: ValueShift = isNew ? .narrows : .widensSlightly
            tellLimit("uniqueItems", isNew ? nil : "true", isNew ? "true" : nil, hasSeveral ? shift : pair.safeShift)
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
        let (sent, read) = pair.direction == .request ? (old, new) : (new, old)
        let isRelevant = read.map { read in sent.map { !$0.isSame(as: read) && isStricter(read, $0) } ?? true } ?? false
        let isHarmless = isRelevant && pair.direction != .unclear && liesWithin(read, of: measure, isLower: isLower)
        func shift(_ shift: ValueShift) -> ValueShift { isHarmless ? pair.safeShift : shift }
        switch (old, new) {
        case (let old?, let new?):
            guard !old.isSame(as: new) else { return }
            let former = old.keyword == new.keyword ? "it" : "\"\(old.keyword)\""
            let text = "\(pair.subject): \"\(new.keyword)\" is \(new.written); \(former) was \(old.written)"
            tell("limit", text, shift(isStricter(new, old) ? .narrows : .widensSlightly), at: new.keyword)
        case (let old?, nil): tellLimit(old.keyword, old.written.description, nil, shift(.widensSlightly))
        case (nil, let new?): tellLimit(new.keyword, nil, new.written.description, shift(.narrows))
        case (nil, nil): return
        }
    }

    /// Returns whether other keywords of the sender keep all values within an end of the reader's; a value that proves
    /// the opposite becomes a candidate.
    private mutating func liesWithin(_ end: ValueInterval.End?, of measure: Measure, isLower: Bool) -> Bool {
        guard let end else { return false }
        let schemas = pair.sender.parts
        let found: ScalarSearch
        switch measure {
        case .length:
            guard let length = end.number.int, isLower || length < .max else { return false }
            let lengths = isLower ? 0...max(length - 1, 0) : length + 1...Int.max
            found = SchemaSampler.text(of: schemas, in: pair.sender.revision.program, lengths: lengths)
        case .number:
            var outside = NumberConstraints()
            if isLower {
                outside.lower(to: end.number, excluded: !end.isExclusive)
            } else {
                outside.raise(to: end.number, excluded: !end.isExclusive)
            }
            found = SchemaSampler.number(of: schemas, in: pair.sender.revision.program, outside)
        case .properties where isLower:
            addCandidates(ofCount: end.number.int.map { $0 - 1 })
            return end.number <= JSONNumber(pair.sender.required.keys.count { pair.isSent($0) })
        case .properties:
            addCandidates(ofCount: end.number.int.map { $0 + 1 })
            let isLimited = pair.sender.isClosed && pair.sender.patternProperties.all.isEmpty
            return isLimited && end.number >= JSONNumber(pair.sender.properties.all.count)
        case .items, .contained: return false
        }
        if case .value(let value) = found { search.candidates.append(value) }
        return found == .impossible
    }

    /// Adds objects with a number of properties that no schema names.
    private mutating func addCandidates(ofCount count: Int?) {
        guard let count, 0...100 ~= count else { return }
        for value in [0, "text", .null] as [JSONValue] {
            search.candidates.append(JSONValue(.object(JSONObject((0..<count).map { ("key\($0)", value) }))))
        }
    }

    private mutating func tellLimit(_ keyword: String, _ old: String?, _ new: String?, _ shift: ValueShift) {
        let text = old.map { "\(new.map { "is \($0)" } ?? "was removed"); it was \($0)" } ?? "\(new ?? "") was added"
        tell("limit", "\(pair.subject): \"\(keyword)\" \(text)", shift, at: keyword)
    }

    /// Compares `pattern` and `format`.
    mutating func compareTexts() {
        if pair.before.patterns != pair.after.patterns {
            let (old, new) = (pair.before.patterns.shown, pair.after.patterns.shown)
            if pair.before.patterns.isSubset(of: pair.after.patterns) {
                tellLimit("pattern", old, new, .narrows)
            } else if pair.after.patterns.isSubset(of: pair.before.patterns) {
                tellLimit("pattern", old, new, .widensSlightly)
            } else {
                // Containment of expressions is undecided, unless a text refutes it.
                let isNarrower = pair.direction == .request && counterexample() != nil
                tellLimit("pattern", old, new, isNarrower ? .narrows : .unknown)
            }
        }
        if pair.before.formats != pair.after.formats {
            tellLimit(
                "format",
                pair.before.formats.shown,
                pair.after.formats.shown,
                ValueShift(formats: pair.before.formats, pair.after.formats)
            )
            // A wider format has other values, whether or not one is found.
            if pair.sender.hasFormatAlone { provenChanges.insert(changes.count - 1) }
        }
    }

    /// A client that sends nothing gets another effect when the default changes; a new one may be what was meant before.
    mutating func compareDefaults() {
        guard pair.direction == .request, let old = pair.before.defaultValue, old != pair.after.defaultValue else {
            return
        }
        let text = pair.after.defaultValue.map { "is \($0.shownAsText)" } ?? "was removed"
        tell("default", "\(pair.subject): \"default\" \(text); it was \(old.shownAsText)", .unknown, at: "default")
    }
}
