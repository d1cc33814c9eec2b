import JSON

/// What all schemas that hold at one place of a value want together.
struct Demand {
    var kinds = ValueKinds.all
    /// Whether null is allowed beside the kinds (OpenAPI 3.0's `nullable`).
    var isNullable = false
    var isImpossible = false
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
    var rivals: [Int] = []
    /// Texts that `discriminator` wants for properties.
    var tags: [(property: String, text: String)] = []
    var formats: [String] { texts.compactMap(\.format) }

    mutating func add(_ facts: SchemaFacts) {
        if facts.isImpossible { isImpossible = true }
        if facts.isNullable { isNullable = true }
        if let own = facts.kinds { kinds.formIntersection(own) }
        if let own = facts.values {
            values = values.map { known in known.filter(own.contains) } ?? own
        }
        numbers.add(facts.numbers)
        if facts.texts.isTelling { texts.append(facts.texts) }
        if !facts.arrays.isEmpty { arrays.append(facts) }
        if !facts.objects.isEmpty || facts.objects.unevaluated != nil || !facts.objects.dependents.isEmpty {
            objects.append(facts)
        }
        if facts.choices.not != nil || facts.choices.condition != nil || !facts.choices.oneOf.isEmpty {
            isIntricate = true
        }
    }

    /// The kinds to choose among: those allowed, narrowed to what the keywords speak of when `type` says nothing.
    var likelyKinds: ValueKinds {
        guard kinds == .all else { return kinds }
        if !objects.isEmpty { return .object }
        if !arrays.isEmpty { return .array }
        if !texts.isEmpty { return .string }
        if numbers.minimum != nil || numbers.maximum != nil || !numbers.steps.isEmpty { return .integer }
        return .string
    }
}
