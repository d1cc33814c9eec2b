import ECMAPatterns
import JSON

/// What a schema wants of numbers.
struct NumberRules: Sendable {
    var minimum: JSONNumber?
    var maximum: JSONNumber?
    var exclusiveMinimum: JSONNumber?
    var exclusiveMaximum: JSONNumber?
    var multipleOf: JSONNumber?
    /// A format that numbers can have, when formats are asserted.
    var format: IntegerFormat?
}

/// What a schema wants of strings; lengths are in Unicode scalars.
struct StringRules: Sendable {
    var minimumLength = 0
    var maximumLength = Int.max
    var pattern: ECMAPattern?
    /// A format that is asserted.
    var format: String?
}

/// What a schema wants of arrays.
struct ArrayRules: Sendable {
    var minimumCount = 0
    var maximumCount = Int.max
    var isUnique = false
    var prefix: [Int32] = []
    /// For the elements after the prefix.
    var items: Int32 = -1
    var contains: Int32 = -1
    var minimumContained = 1
    var maximumContained = Int.max
    /// Whether what `contains` found counts as evaluated (since draft 2020-12).
    var containsEvaluates = false
}

/// What a schema wants of objects.
struct ObjectRules: Sendable {
    /// A named property.
    struct Property: Sendable {
        var name: String
        var node: Int32 = -1
        var isRequired = false
        /// Required, but not on the way to the server.
        var isReadOnly = false
        /// Required, but not on the way from the server.
        var isWriteOnly = false
    }

    var minimumCount = 0
    var maximumCount = Int.max
    var properties: [Property] = []
    var index = PropertyIndex()
    /// How many properties are required in either direction, in a request, and in a response.
    var requiredCounts = (0, 0, 0)
    var patterns: [(pattern: ECMAPattern, node: Int32)] = []
    var additional: Int32 = -1
    var names: Int32 = -1
    var dependentNames: [(name: String, required: [String])] = []
    var dependentSchemas: [(name: String, node: Int32)] = []

    /// Whether the members' values or names are looked at one by one.
    var looksAtMembers: Bool { !properties.isEmpty || !patterns.isEmpty || additional >= 0 || names >= 0 }
}
