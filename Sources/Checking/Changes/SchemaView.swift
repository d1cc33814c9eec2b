import Basics
import JSON
import JSONSchema

/// The meaning of a schema with its references followed and every `allOf` merged: the intersection of its parts.
///
/// A list without schemas allows everything.
final class SchemaView {
    /// A schema is made of at most this many parts; more are left out of the comparison.
    private static let partLimit = 500
    /// The conditions of a schema are simplified to this depth.
    private static let depthLimit = 4

    private(set) var kinds = ValueKinds.all
    /// The values that `enum` and `const` allow, but for null, which is in ``kinds``.
    private(set) var values: [JSONValue]?
    private(set) var properties = NamedSchemas()
    /// The required names, each with the part that requires it.
    private(set) var required: [ExactText: SchemaID] = [:]
    private(set) var patternProperties = NamedSchemas()
    /// The schema of `additionalProperties`, but for those that allow everything, which are the same as their absence.
    private(set) var additional: [SchemaPlace] = []
    /// A Boolean value that indicates whether a part has `additionalProperties`, also one that allows everything.
    private var hasAdditional = false
    private(set) var items: [SchemaPlace] = []
    /// A Boolean value that indicates whether a part has `items`, also one that allows everything.
    private var hasItems = false
    private(set) var prefix: [[SchemaPlace]] = []
    /// The limits of all parts together, for numbers and for lengths and counts.
    private(set) var limits: [Measure: ValueInterval] = [:]
    /// Each `multipleOf`.
    private(set) var steps: [JSONNumber] = []
    private(set) var patterns: Set<String> = []
    private(set) var formats: Set<String> = []
    private(set) var isUnique = false
    /// The value that the receiver takes when nothing is sent; the first of the parts.
    private(set) var defaultValue: JSONValue?
    /// `dependentRequired`: the names that are required together with a name.
    private(set) var dependents: [String: Set<String>] = [:]
    private(set) var discriminator: Discriminator?
    /// Keywords that are compared as they are written, in the order of the parts.
    private(set) var others: [String: [JSONValue]] = [:]
    /// `anyOf` and `oneOf` with several alternatives that are more than lists of types or values.
    private(set) var groups: [Group] = []
    /// `dependentSchemas`, by the property that they depend on.
    private(set) var dependentSchemas = NamedSchemas()
    /// The schemas of keywords such as `not`, which are compared by keyword.
    private(set) var conditions: [Condition: [SchemaPlace]] = [:]
    /// Each `if` that has a `then` or an `else`.
    private(set) var choices: [ChoiceFacts.Condition] = []
    private(set) var isReadOnly = false
    private(set) var isWriteOnly = false
    /// A Boolean value that indicates whether requests or responses lack it, even if it is required.
    var isLeftOutInOneDirection: Bool { isReadOnly || isWriteOnly }
    private(set) var position: JSONPosition?
    /// A Boolean value that indicates whether objects may have no property that is not named.
    private(set) var isClosed = false
    /// A Boolean value that indicates whether parts were left out, because there are too many.
    private(set) var isCutShort = false
    let revision: ContractRevision
    let places: [SchemaPlace]
    /// The number of views that this one is part of, so that alternatives in alternatives end.
    private let depth: Int
    private let decided: Set<SchemaPlace.Choice>
    /// The schemas that hold at the place.
    private(set) var parts: [SchemaID] = []
    private var acceptsNull = false
    /// A Boolean value that indicates whether a part has `contains`, which also evaluates elements if it requires none.
    private var hasContains = false
    /// A Boolean value that indicates whether `contains` evaluates the elements that match.
    private var containsEvaluates = false
    private var waiting: [(id: SchemaID, isTop: Bool)] = []

    /// A keyword whose schemas are compared by themselves.
    enum Condition: String, CaseIterable {
        case contains, not, propertyNames, unevaluatedItems, unevaluatedProperties
    }

    /// The alternatives of one `anyOf` or `oneOf`.
    struct Group {
        var choice: SchemaPlace.Choice
        var alternatives: [SchemaPlace]

        var keyword: String { choice.keyword }
        /// A Boolean value that indicates whether a value must match no more than one.
        var isExclusive: Bool { choice.keyword == "oneOf" }
    }

    /// The property that tells alternatives apart, and the names that differ from those of the schemas.
    struct Discriminator: Equatable {
        var property: String
        var mapping: [String: JSONPointer] = [:]
    }

    /// A Boolean value that indicates whether every text is allowed.
    var allowsEveryText: Bool {
        kinds.contains(.string) && values == nil && patterns.isEmpty && formats.isEmpty && limits[.length] == nil
            && groups.isEmpty && conditions.isEmpty && choices.isEmpty
    }

    /// A Boolean value that indicates whether no value matches.
    var isImpossible: Bool { kinds.isEmpty }

    /// A Boolean value that indicates whether the schema's own keywords exclude each other, as far as can be seen at once.
    var isContradictory: Bool {
        func isEmpty(_ measure: Measure) -> Bool {
            guard let limits = limits[measure], let lower = limits.lower, let upper = limits.upper else { return false }
            return lower.number > upper.number
        }
        return kinds.singles.allSatisfy { kind in
            switch kind {
            case .string: isEmpty(.length)
            case .array: isEmpty(.items) || isEmpty(.contained)
            case .object:
                isEmpty(.properties) || lacksRequiredProperty
            case .integer, .fraction: isEmpty(.number)
            default: false
            }
        }
    }

    /// A Boolean value that indicates whether no object may have all required properties.
    private var lacksRequiredProperty: Bool {
        let most = limits[.properties]?.upper?.number ?? JSONNumber(Int.max)
        return JSONNumber(required.count) > most
            || required.keys.contains { name in
                properties[name]?.contains { revision.isImpossible($0.id) }
                    ?? (schemasOfOther(name) == nil)
            }
    }

    init(_ places: [SchemaPlace], in revision: ContractRevision, depth: Int = 0) {
        self.revision = revision
        self.places = places
        self.depth = depth
        decided = Set(places.flatMap(\.decided))
        position = places.first.map(revision.position)
        waiting = places.reversed().map { ($0.id, true) }
        var seen: Set<SchemaID> = []
        while let (id, isTop) = waiting.popLast(), seen.count < Self.partLimit {
            guard seen.insert(id).inserted else { continue }
            parts.append(id)
            add(revision.program.facts(of: id), of: id, isTop: isTop)
        }
        isCutShort = !waiting.isEmpty
        if acceptsNull { kinds.insert(.null) }
        finish()
    }

    /// The position of a keyword in the first part that has it.
    func position(of keyword: String) -> JSONPosition? {
        parts.lazy.compactMap { [revision] in revision.program.position(of: keyword, in: $0) }.first
    }

    /// The position of a name in `required`.
    func position(ofRequired name: ExactText) -> JSONPosition? {
        required[name].flatMap { revision.program.position(ofRequired: name.text, in: $0) }
    }

    /// Leaves out what concerns no value that is allowed, and what is said elsewhere already.
    private func finish() {
        finishNumbers()
        values = values?.filter { !kinds.isDisjoint(with: ValueKinds(of: $0)) }
        if let listed = values, kinds.subtracting(.null) == .boolean, Set(listed).count == 2 { values = nil }
        if !kinds.contains(.string) { patterns = [] }
        formats = formats.filter { format in
            guard let concerned = FormatChecker.kinds(of: format) else { return true }
            return !kinds.isDisjoint(with: concerned)
        }
        finishArrays()
        finishObjects()
        // A schema may exclude itself.
        if let excluded = conditions[.not], depth < Self.depthLimit {
            conditions[.not] = nil
            let left = excluded.filter {
                !isApart(from: revision.view(of: [$0], depth: depth + 1), isComplete: false)
            }
            if !left.isEmpty { conditions[.not] = left }
        }
        for measure in Measure.allCases where kinds.isDisjoint(with: measure.kinds) { limits[measure] = nil }
        dropRefusedValues()
    }

    /// Drops the listed values that other keywords refuse.
    private func dropRefusedValues() {
        guard let listed = values, !isListAlone, let refused = revision.refused(of: listed, by: places) else { return }
        let left = listed.filter { !refused.contains($0) }
        // A list without a valid value is a mistake, and its changes still matter.
        guard !left.isEmpty else { return }
        values = left
        // The list contains their requirements on the values.
        (limits, steps, patterns, formats) = ([:], [], [], [])
        kinds.formIntersection(left.reduce(into: .null) { $0.formUnion(ValueKinds(of: $1)) })
    }

    /// A Boolean value that indicates whether keywords other than those of the elements' own schemas restrict elements.
    var hasConditionsOfElements: Bool {
        conditions[.unevaluatedItems] != nil || conditions[.contains] != nil && limits[.contained]?.upper != nil
    }

    /// A Boolean value that indicates whether no keyword next to `format` restricts texts or numbers.
    var hasFormatAlone: Bool {
        values == nil && limits.isEmpty && steps.isEmpty && patterns.isEmpty && groups.isEmpty && choices.isEmpty
            && conditions[.not] == nil
    }

    /// A Boolean value that indicates whether no keyword but `type` restricts the listed values.
    private var isListAlone: Bool {
        limits.isEmpty && steps.isEmpty && patterns.isEmpty && formats.isEmpty && groups.isEmpty && choices.isEmpty
            && conditions.isEmpty && properties.all.isEmpty && patternProperties.all.isEmpty && required.isEmpty
            && additional.isEmpty && items.isEmpty && prefix.isEmpty && !isUnique && dependents.isEmpty
            && dependentSchemas.all.isEmpty
    }

    private func finishNumbers() {
        // A multiple of an integer is an integer.
        if steps.contains(where: \.isInteger) { kinds.remove(.fraction) }
        if kinds.isDisjoint(with: .number) { steps = [] }
        if let product = JSONNumber.commonMultiple(of: steps) { steps = [product] }
        if !kinds.contains(.fraction) { steps.removeAll { (1 as JSONNumber).isMultiple(of: $0) == true } }
    }

    private func finishArrays() {
        guard kinds.contains(.array) else {
            (items, prefix, isUnique) = ([], [], false)
            for keyword in [Condition.contains, .unevaluatedItems] { conditions[keyword] = nil }
            return
        }
        finishContains()
        let end = prefix.firstIndex { $0.contains { revision.isImpossible($0.id) } }
        if end != nil || items.contains(where: { revision.isImpossible($0.id) }) {
            if let end { prefix.removeSubrange(end...) }
            limits[.items, default: ValueInterval()].lower(
                to: .init(JSONNumber(prefix.count), false, Measure.items.upper)
            )
            items = []
        }
        if items.isEmpty {
            while let last = prefix.last, last.allSatisfy({ revision.facts(of: $0).isSilent }) { prefix.removeLast() }
        }
    }

    private func finishContains() {
        let contained = conditions[.contains] ?? []
        if limits[.contained]?.isOpen ?? true { conditions[.contains] = nil }
        if let rest = conditions[.unevaluatedItems], isEvaluatedAlone, !hasItems {
            if !hasContains {
                conditions[.unevaluatedItems] = nil
                items = rest
            } else if contained.count == 1, containsEvaluates, rest.contains(where: { revision.isImpossible($0.id) }) {
                // Elements that `contains` does not match are refused, so that all behind the prefix match.
                conditions[.unevaluatedItems] = nil
                items = contained
                if prefix.isEmpty {
                    if let end = limits[.contained]?.lower {
                        limits[.items, default: ValueInterval()].raise(
                            to: .init(end.number, false, Measure.items.lower)
                        )
                    }
                    if let end = limits[.contained]?.upper {
                        limits[.items, default: ValueInterval()].lower(
                            to: .init(end.number, false, Measure.items.upper)
                        )
                    }
                    conditions[.contains] = nil
                }
            }
        } else if conditions[.unevaluatedItems] != nil, isEvaluatedAlone, !hasContains {
            conditions[.unevaluatedItems] = nil
        }
        if conditions[.contains] == nil { limits[.contained] = nil }
    }

    private func finishObjects() {
        guard kinds.contains(.object) else {
            for keyword in [Condition.propertyNames, .unevaluatedProperties] { conditions[keyword] = nil }
            return
        }
        addRestOfProperties()
        finishPatterns()
        guard let rest = conditions[.unevaluatedProperties], isEvaluatedAlone else { return }
        conditions[.unevaluatedProperties] = nil
        if !hasAdditional { addAdditional(rest[0].id) }
    }

    /// Adds to each named property the schemas that parts without this name have for it.
    private func addRestOfProperties() {
        let others = parts.map { revision.program.facts(of: $0).objects }
            .filter { !$0.matched.isEmpty || $0.additional != nil && parts.count > 1 }
        guard !others.isEmpty else { return }
        for (name, places) in properties.all {
            for schema in others.flatMap({ $0.schemas(ofProperty: name.text) }).map(SchemaPlace.init)
            where !places.contains(schema) && !revision.facts(of: schema).isSilent {
                properties.add(name.text, schema)
            }
        }
    }

    /// Adds to each expression the schemas that parts without expressions have for the properties it matches, and drops
    /// those whose properties are refused like all others.
    private func finishPatterns() {
        guard !patternProperties.all.isEmpty else { return }
        var others: [SchemaPlace] = []
        for part in parts {
            let object = revision.program.facts(of: part).objects
            let sets = object.matched.map { NamesMatched($0.expression) }
            others += zip(sets, object.matched).filter { $0.0 == .every }.map { SchemaPlace($0.1.schema) }
            if sets.allSatisfy(\.isOneName), let additional = object.additional {
                others.append(SchemaPlace(additional))
            }
        }
        others = others.unique.filter { !revision.facts(of: $0).isSilent }
        var left = NamedSchemas()
        for (expression, places) in patternProperties.all {
            let places = places + others.filter { !places.contains($0) }
            if isClosed, places.contains(where: { revision.isImpossible($0.id) }) { continue }
            for place in places { left.add(expression.text, place) }
        }
        patternProperties = left
    }

    /// A Boolean value that indicates whether all that evaluates parts of a value for the schema's own `unevaluatedItems`
    /// and `unevaluatedProperties` is in the view, whichever value it is.
    private var isEvaluatedAlone: Bool {
        guard groups.isEmpty, choices.isEmpty, dependentSchemas.all.isEmpty else { return false }
        let all = parts.map { ($0, revision.program.facts(of: $0)) }
        let holders = all.filter { $1.objects.unevaluated != nil || $1.arrays.unevaluated != nil }
        guard holders.count == 1 else { return false }
        // The keyword sees only the schemas that its own schema applies.
        var seen: Set<SchemaID> = []
        var waiting = [holders[0].0]
        while let id = waiting.popLast() {
            if seen.insert(id).inserted { waiting += revision.program.facts(of: id).choices.always }
        }
        return all.allSatisfy { seen.contains($0) || !$1.isEvaluating }
    }

    private func add(_ facts: SchemaFacts, of id: SchemaID, isTop: Bool) {
        if facts.isImpossible { kinds = [] }
        for reference in facts.choices.references { waiting.append((reference, isTop)) }
        for part in facts.choices.allOf.reversed() { waiting.append((part, false)) }
        addKinds(facts, isTop: isTop)
        for measure in Measure.allCases { add(facts.limits(of: measure), of: measure) }
        if let step = facts.numberRules.multipleOf, !steps.contains(step) { steps.append(step) }
        for (keyword, alternatives) in [("anyOf", facts.choices.anyOf), ("oneOf", facts.choices.oneOf)] {
            let choice = SchemaPlace.Choice(schema: id, keyword: keyword)
            if !decided.contains(choice) { addAlternatives(alternatives.map(SchemaPlace.init), choice, isTop: isTop) }
        }
        addObjects(facts.objects, of: id)
        addArrays(facts.arrays)
        addConditions(facts)
        isReadOnly = isReadOnly || facts.isReadOnly
        isWriteOnly = isWriteOnly || facts.isWriteOnly
        if let text = facts.texts.expression, NamesMatched(text) != .every { patterns.insert(text) }
        if let format = facts.annotations.format { formats.insert(format) }
        if defaultValue == nil { defaultValue = facts.annotations.assumed }
        if let own = facts.annotations.discriminator {
            discriminator = Discriminator(property: own.property)
            for (name, schema) in own.mapping {
                let pointer = revision.program.pointer(to: schema)
                if pointer.tokens.last != name { discriminator?.mapping[name] = pointer }
            }
        }
        for (keyword, value) in facts.annotations.content { others[keyword, default: []].append(value) }
    }

    private func addObjects(_ objects: ObjectFacts, of id: SchemaID) {
        for (name, schema) in objects.properties { properties.add(name, SchemaPlace(schema)) }
        var matchesAll = false
        for (expression, schema) in objects.matched {
            switch NamesMatched(expression) {
            case .every:
                matchesAll = true
                addAdditional(schema)
            case .one(let name): properties.add(name, SchemaPlace(schema))
            case .some: patternProperties.add(expression, SchemaPlace(schema))
            }
        }
        hasAdditional = hasAdditional || matchesAll
        for name in objects.required { required[name.exact] = id }
        if let schema = objects.additional, !matchesAll {
            hasAdditional = true
            addAdditional(schema)
        }
        for (name, names) in objects.dependents { addDependents(of: name, names) }
        for (name, schema) in objects.dependentSchemas {
            let facts = revision.program.facts(of: schema)
            if let names = facts.namesOnlyRequired {
                addDependents(of: name, names)
            } else if !facts.isSilent {
                dependentSchemas.add(name, SchemaPlace(schema))
            }
        }
    }

    /// The schemas of `patternProperties` whose regular expressions match a name.
    private func schemas(matching name: String) -> [SchemaPlace] {
        guard !patternProperties.all.isEmpty else { return [] }
        return parts.flatMap { revision.program.facts(of: $0).objects.schemas(matching: name) }.map(SchemaPlace.init)
    }

    /// For each expression of `patternProperties`, a name that the expression matches.
    var namesOfPatterns: [String] { parts.flatMap { revision.program.facts(of: $0).objects.namesOfPatterns } }

    /// Returns whether an expression of `patternProperties` matches a name.
    func hasPattern(for name: ExactText) -> Bool { !schemas(matching: name.text).isEmpty }

    /// The schemas of a property that has no schema under its name; `nil` where no object may have it.
    func schemasOfOther(_ name: ExactText) -> [SchemaPlace]? {
        var places = schemas(matching: name.text)
        guard !places.isEmpty else { return isClosed ? nil : additional }
        for id in parts.flatMap({ revision.program.facts(of: $0).objects.schemas(ofProperty: name.text) }) {
            let place = SchemaPlace(id)
            if !places.contains(place), !revision.facts(of: place).isSilent { places.append(place) }
        }
        return places.contains { revision.isImpossible($0.id) } ? nil : places
    }

    /// The names of properties in alternatives and conditions, which a value may have although the view does not name
    /// them.
    var namesInBranches: Set<ExactText> {
        var names: Set<ExactText> = []
        var seen: Set<SchemaID> = []
        var waiting = parts
        while let id = waiting.popLast(), seen.count < Self.partLimit {
            guard seen.insert(id).inserted else { continue }
            let facts = revision.program.facts(of: id)
            names.formUnion(facts.objects.properties.map { $0.name.exact })
            let choices = facts.choices
            waiting += choices.always + choices.anyOf + choices.oneOf + facts.objects.dependentSchemas.map(\.schema)
            waiting += [choices.condition?.test, choices.condition?.then, choices.condition?.otherwise]
                .compactMap(\.self)
        }
        return names
    }

    private func addAdditional(_ schema: SchemaID) {
        let facts = revision.program.facts(of: schema)
        if !facts.isSilent { additional.append(SchemaPlace(schema)) }
        isClosed = isClosed || revision.isImpossible(schema)
    }

    private func addDependents(of name: String, _ names: [String]) {
        let others = names.filter { $0.exact != name.exact }
        if !others.isEmpty { dependents[name, default: []].formUnion(others) }
    }

    private func addArrays(_ arrays: ArrayFacts) {
        if let rest = arrays.rest {
            hasItems = true
            if !revision.program.facts(of: rest).isSilent { items.append(SchemaPlace(rest)) }
        }
        for (number, element) in arrays.prefix.map(SchemaPlace.init).enumerated() {
            if number < prefix.count { prefix[number].append(element) } else { prefix.append([element]) }
        }
        isUnique = isUnique || arrays.isUnique
    }

    private func addConditions(_ facts: SchemaFacts) {
        func isTelling(_ schema: SchemaID?) -> Bool { schema.map { !revision.program.facts(of: $0).isSilent } ?? false }
        if let choice = facts.choices.condition, isTelling(choice.then) || isTelling(choice.otherwise) {
            choices.append(choice)
            addKinds(of: choice)
        }
        if let excluded = facts.choices.not {
            kinds.subtract(revision.kindsAccepted(by: excluded))
            conditions[.not, default: []].append(SchemaPlace(excluded))
        }
        if let contained = facts.arrays.contained {
            hasContains = true
            containsEvaluates = facts.arrays.containsEvaluates
            conditions[.contains, default: []].append(SchemaPlace(contained))
        }
        if let names = facts.objects.names, !revision.program.facts(of: names).acceptsEveryText {
            conditions[.propertyNames, default: []].append(SchemaPlace(names))
        }
        if let rest = facts.arrays.unevaluated, isTelling(rest) {
            conditions[.unevaluatedItems, default: []].append(SchemaPlace(rest))
        }
        if let rest = facts.objects.unevaluated, isTelling(rest) {
            conditions[.unevaluatedProperties, default: []].append(SchemaPlace(rest))
        }
    }

    private func add(_ ends: (lower: ValueInterval.End?, upper: ValueInterval.End?), of measure: Measure) {
        if let lower = ends.lower { limits[measure, default: ValueInterval()].raise(to: lower) }
        if let upper = ends.upper { limits[measure, default: ValueInterval()].lower(to: upper) }
    }

    private func addKinds(_ facts: SchemaFacts, isTop: Bool) {
        if facts.isNullable, isTop { acceptsNull = true }
        kinds.formIntersection(facts.isNullable ? facts.kinds.union(.null) : facts.kinds)
        guard let listed = facts.values else { return }
        if !facts.isNullable, !listed.contains(where: \.isNull) { kinds.remove(.null) }
        keep(listed)
    }

    /// Keeps the kinds that one of the branches of `if` accepts.
    private func addKinds(of choice: ChoiceFacts.Condition) {
        guard depth < 2 else { return }
        func kinds(_ schema: SchemaID?) -> ValueKinds {
            schema.map { revision.view(of: [SchemaPlace($0)], depth: depth + 1).kinds } ?? .all
        }
        let then = kinds(choice.test).intersection(kinds(choice.then))
        let otherwise = kinds(choice.otherwise).subtracting(revision.kindsAccepted(by: choice.test))
        self.kinds.formIntersection(then.union(otherwise))
    }

    /// Keeps these values of those that are not null.
    private func keep(_ listed: [JSONValue]) {
        let others = Set(listed).subtracting([.null])
        kinds.formIntersection(others.reduce(into: .null) { $0.formUnion(ValueKinds(of: $1)) })
        values = values.map { $0.filter(others.contains) } ?? listed.filter { !$0.isNull }
    }

    private func addAlternatives(
        _ alternatives: [SchemaPlace],
        _ choice: SchemaPlace.Choice,
        isTop: Bool
    ) {
        let others = alternatives.filter { revision.facts(of: $0).kinds != .null }
        if others.count == 1, isTop || others.count == alternatives.count {
            // A reference or null, as OpenAPI 3.1 writes what may be null.
            if others.count < alternatives.count { acceptsNull = true }
            waiting.append((others[0].id, false))
            return
        }
        guard !alternatives.isEmpty, depth < 2 else { return }
        let views = alternatives.map { revision.view(of: [$0], depth: depth + 1) }
        let isSimple = alternatives.allSatisfy { revision.facts(of: $0).isListOfValues }
        let overlap = choice.keyword == "oneOf" && !Self.areApart(views)
        let named = views.filter { $0.kinds != .null }
        if isSimple, !overlap, named.allSatisfy({ $0.values != nil }) {
            if !views.contains(where: { $0.kinds.contains(.null) }) { kinds.remove(.null) }
            keep(named.flatMap { $0.values ?? [] })
        } else {
            kinds.formIntersection(views.reduce(into: []) { $0.formUnion($1.kinds) })
            if !isSimple || overlap || named.contains(where: { $0.values != nil }) {
                groups.append(Group(choice: choice, alternatives: alternatives))
            }
        }
    }

    /// Returns whether no value can be of two of them, as far as kinds and listed values tell.
    private static func areApart(_ views: [SchemaView]) -> Bool {
        var (listedKinds, otherKinds) = (ValueKinds(), ValueKinds())
        var listed: Set<JSONValue> = []
        for view in views {
            guard view.kinds.isDisjoint(with: otherKinds) else { return false }
            if let values = view.values {
                guard !view.kinds.contains(.null) || !listedKinds.contains(.null), listed.isDisjoint(with: values)
                else { return false }
                listedKinds.formUnion(view.kinds)
                listed.formUnion(values)
            } else {
                guard view.kinds.isDisjoint(with: listedKinds) else { return false }
                otherKinds.formUnion(view.kinds)
            }
        }
        return true
    }
}

extension SchemaFacts {
    /// A Boolean value that indicates whether the schema has a say on single properties or elements.
    fileprivate var isEvaluating: Bool {
        !objects.properties.isEmpty || !objects.matched.isEmpty || objects.additional != nil || !arrays.prefix.isEmpty
            || arrays.rest != nil || arrays.contained != nil
    }

    /// The ends that the schema sets for a measure, each with the keyword that sets it.
    fileprivate func limits(of measure: Measure) -> (lower: ValueInterval.End?, upper: ValueInterval.End?) {
        func ends(_ lower: Int, _ upper: Int) -> (lower: ValueInterval.End?, upper: ValueInterval.End?) {
            (
                lower > 0 ? ValueInterval.End(JSONNumber(lower), false, measure.lower) : nil,
                upper < .max ? ValueInterval.End(JSONNumber(upper), false, measure.upper) : nil
            )
        }
        switch measure {
        case .number:
            var limits = ValueInterval()
            if let limit = numberRules.minimum { limits.raise(to: .init(limit, false, "minimum")) }
            if let limit = numberRules.exclusiveMinimum { limits.raise(to: .init(limit, true, "exclusiveMinimum")) }
            if let limit = numberRules.maximum { limits.lower(to: .init(limit, false, "maximum")) }
            if let limit = numberRules.exclusiveMaximum { limits.lower(to: .init(limit, true, "exclusiveMaximum")) }
            return (limits.lower, limits.upper)
        case .length: return ends(texts.minimumLength, texts.maximumLength)
        case .items: return ends(arrays.minimumCount, arrays.maximumCount)
        case .properties: return ends(objects.minimumCount, objects.maximumCount)
        case .contained where arrays.contained == nil: return (nil, nil)
        case .contained: return ends(arrays.minimumContained, arrays.maximumContained)
        }
    }
}

/// Schemas by the names of properties, in the order of the file; several for a name that `allOf` names twice.
struct NamedSchemas {
    private(set) var all: [(name: ExactText, places: [SchemaPlace])] = []
    private var numbers: [ExactText: Int] = [:]

    subscript(name: ExactText) -> [SchemaPlace]? { numbers[name].map { all[$0].places } }

    mutating func add(_ name: String, _ place: SchemaPlace) {
        let name = name.exact
        if let number = numbers[name] {
            all[number].places.append(place)
        } else {
            numbers[name] = all.count
            all.append((name, [place]))
        }
    }
}
