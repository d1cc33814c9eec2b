import JSON

/// What one schema object says, read once; its subschemas are numbers in a ``SchemaTable``.
///
/// A class, because it is large, never changes and is looked at from many places.
final class SchemaFacts: Sendable {
    /// The schema is `false`.
    let isImpossible: Bool
    let kinds: ValueKinds?
    /// OpenAPI 3.0's `nullable`.
    let isNullable: Bool
    /// `enum`, or `const` as the only value.
    let values: [JSONValue]?
    /// `example`, `examples` and `default`, in this order.
    let examples: [JSONValue]
    let isReadOnly: Bool
    let isWriteOnly: Bool
    let numbers: NumberFacts
    let texts: TextFacts
    let arrays: ArrayFacts
    let objects: ObjectFacts
    let choices: ChoiceFacts

    init(_ object: JSONObject, choices: ChoiceFacts, arrays: ArrayFacts, objects: ObjectFacts) {
        isImpossible = false
        kinds = object["type"].flatMap(ValueKinds.init(types:))
        isNullable = object["nullable"]?.bool ?? false
        values = object["const"].map { [$0] } ?? object["enum"]?.array
        examples =
            (object["example"].map { [$0] } ?? []) + (object["examples"]?.array ?? [])
            + (object["default"].map { [$0] } ?? [])
        isReadOnly = object["readOnly"]?.bool ?? false
        isWriteOnly = object["writeOnly"]?.bool ?? false
        numbers = NumberFacts(object)
        texts = TextFacts(object)
        self.arrays = arrays
        self.objects = objects
        self.choices = choices
    }

    /// The facts of `true` or `false`.
    init(isImpossible: Bool) {
        self.isImpossible = isImpossible
        kinds = nil
        isNullable = false
        values = nil
        examples = []
        isReadOnly = false
        isWriteOnly = false
        numbers = NumberFacts()
        texts = TextFacts()
        arrays = ArrayFacts()
        objects = ObjectFacts()
        choices = ChoiceFacts()
    }
}

/// Other schemas that hold at the same place.
struct ChoiceFacts {
    /// `$ref`, `$dynamicRef` and `allOf`: everything that holds without a choice.
    var always: [Int] = []
    var anyOf: [Int] = []
    var oneOf: [Int] = []
    var not: Int?
    var condition: Condition?
    var discriminator: Discriminator?

    struct Condition {
        var test: Int
        var then: Int?
        var otherwise: Int?
    }
}

struct NumberFacts {
    var minimum: JSONNumber?
    var maximum: JSONNumber?
    var excludesMinimum = false
    var excludesMaximum = false
    var multipleOf: JSONNumber?
}

struct TextFacts {
    var minimumLength = 0
    var maximumLength: Int?
    var pattern: String?
    /// Counts for numbers too: `int32`.
    var format: String?
}

struct ArrayFacts {
    var prefix: [Int] = []
    /// The schema of the elements behind the prefix.
    var rest: Int?
    /// The schema of the elements that no other keyword has judged.
    var unevaluated: Int?
    var contained: Int?
    var minimumContained = 1
    var minimumCount = 0
    var maximumCount: Int?
    var isUnique = false

    var isEmpty: Bool {
        prefix.isEmpty && rest == nil && unevaluated == nil && contained == nil && minimumCount == 0
            && maximumCount == nil && !isUnique
    }
}

struct ObjectFacts {
    var properties = NamedSchemas()
    var required: [String] = []
    var patterns: [(pattern: String, schema: Int)] = []
    /// The schema of properties that are neither named nor matched.
    var additional: Int?
    /// The same of those that no other keyword has judged.
    var unevaluated: Int?
    var names: Int?
    var minimumCount = 0
    var maximumCount: Int?
    /// Properties that need others beside them.
    var dependents: [(name: String, required: [String])] = []

    var isEmpty: Bool {
        properties.all.isEmpty && required.isEmpty && patterns.isEmpty && additional == nil && minimumCount == 0
            && maximumCount == nil && names == nil
    }
}

/// OpenAPI's `discriminator`: the property whose text names the schema that a value was made by.
struct Discriminator {
    var property: String
    /// The schemas that have names of their own here.
    var mapping: [(name: String, schema: Int)]
}
