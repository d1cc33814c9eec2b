import JSONText

/// What one schema object says, read once; its subschemas are numbers in a ``SchemaTable``.
struct SchemaFacts {
    /// The schema is `false`.
    var isImpossible = false
    var kinds: ValueKinds?
    /// OpenAPI 3.0's `nullable`.
    var isNullable = false
    /// `enum`, or `const` as the only value.
    var values: [JSONValue]?
    /// `example`, `examples` and `default`, in this order.
    var examples: [JSONValue] = []
    var isReadOnly = false
    var isWriteOnly = false
    var numbers = NumberFacts()
    var texts = TextFacts()
    var arrays = ArrayFacts()
    var objects = ObjectFacts()

    /// `$ref`, `$dynamicRef` and `allOf`: everything that holds without a choice.
    var always: [Int] = []
    var anyOf: [Int] = []
    var oneOf: [Int] = []
    var not: Int?
    var condition: (test: Int, then: Int?, otherwise: Int?)?
    var discriminator: Discriminator?
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
    var contained: Int?
    var minimumContained = 1
    var minimumCount = 0
    var maximumCount: Int?
    var isUnique = false

    var isEmpty: Bool { prefix.isEmpty && rest == nil && contained == nil && minimumCount == 0 && maximumCount == nil }
}

struct ObjectFacts {
    var properties: [(name: String, schema: Int)] = []
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
    var dependentSchemas: [(name: String, schema: Int)] = []

    var isEmpty: Bool {
        properties.isEmpty && required.isEmpty && patterns.isEmpty && additional == nil && minimumCount == 0
            && maximumCount == nil && names == nil
    }
}

/// OpenAPI's `discriminator`: the property whose text names the schema that a value was made by.
struct Discriminator {
    var property: String
    /// The schemas that have names of their own here.
    var mapping: [(name: String, schema: Int)]
}
