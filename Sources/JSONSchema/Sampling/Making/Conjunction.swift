import JSON

/// Everything that holds at one place of a value: the requirements of a schema and of all that are added to it by
/// `$ref`, `allOf` and chosen branches.
struct Conjunction {
    var kinds = ValueKinds.all
    var values: [JSONValue]?
    var numbers = NumberConstraints()
    var texts: [TextFacts] = []
    /// Those that say something of arrays.
    var arrays: [SchemaFacts] = []
    /// Those that say something of objects.
    var objects: [SchemaFacts] = []
    /// Schemas that must refuse the value, and conditions that must hold, which only a test can tell.
    var isIntricate = false
    /// The branches of `oneOf` that were not chosen, and must refuse the value.
    var rivals: [SchemaID] = []
    /// Texts that `discriminator` requires for properties.
    var tags: [PropertyTag] = []
    var formats: [String] { texts.compactMap(\.format) }

    /// The formats that not every text is of.
    var textFormats: [StringFormat] {
        formats.compactMap(StringFormat.init).filter { $0 != .binary && $0 != .password }
    }

    /// The lengths of texts; `nil` where the least is above the greatest.
    var lengths: ClosedRange<Int>? {
        let least = texts.map(\.minimumLength).max() ?? 0
        let greatest = texts.map(\.maximumLength).min() ?? .max
        return least <= greatest ? least...greatest : nil
    }

    /// The formats that only integers are of.
    var integerFormats: [IntegerFormat] { formats.compactMap(IntegerFormat.init) }

    /// The requirements for numbers, those of their formats included.
    var numbersOfFormats: NumberConstraints {
        var limits = numbers
        for format in integerFormats {
            limits.raise(to: format.limits.lower)
            limits.lower(to: format.limits.upper)
        }
        return limits
    }

    mutating func add(_ facts: SchemaFacts) {
        kinds.formIntersection(facts.ownKinds)
        if var own = facts.values {
            if facts.isNullable, !own.contains(.null) { own.append(.null) }
            values = values.map { known in known.filter(own.contains) } ?? own
        }
        numbers.add(facts.numbers)
        if facts.texts.isTelling { texts.append(facts.texts) }
        if !facts.arrays.isEmpty { arrays.append(facts) }
        if !facts.objects.isEmpty { objects.append(facts) }
        if facts.choices.not != nil || facts.choices.condition != nil || !facts.choices.oneOf.isEmpty {
            isIntricate = true
        }
    }

    /// The kinds to choose among: those allowed, narrowed to what the keywords mention if `type` is missing.
    var likelyKinds: ValueKinds {
        guard kinds == .all else { return kinds }
        if !objects.isEmpty { return .object }
        if !arrays.isEmpty { return .array }
        if !texts.isEmpty { return .string }
        if numbers.minimum != nil || numbers.maximum != nil || !numbers.steps.isEmpty { return .integer }
        return .string
    }
}

extension Conjunction {
    /// The names of properties that have their own schemas.
    var declaredNames: [String] { objects.flatMap { $0.objects.properties.map(\.name) } }

    /// Returns whether a property has its own schema.
    func declares(_ name: String) -> Bool { objects.contains { $0.objects.schema(named: name) != nil } }

    /// The schemas of a property.
    func schemas(ofProperty name: String) -> [SchemaID] {
        let schemas = objects.flatMap { $0.objects.schemas(ofProperty: name) }
        return schemas.isEmpty ? objects.compactMap(\.objects.unevaluated) : schemas
    }

    /// The schemas of an element.
    ///
    /// - Parameter isEvaluated: whether another keyword, such as `contains`, describes it.
    func elementSchemas(at index: Int, isEvaluated: Bool = false) -> [SchemaID] {
        let schemas = arrays.flatMap { $0.arrays.schemas(at: index) }
        return isEvaluated || !schemas.isEmpty ? schemas : arrays.compactMap(\.arrays.unevaluated)
    }
}
