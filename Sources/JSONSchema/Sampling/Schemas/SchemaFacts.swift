import Basics
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
    let numbers: NumberConstraints
    let texts: TextFacts
    let arrays: ArrayFacts
    let objects: ObjectFacts
    let choices: ChoiceFacts

    /// - Parameter isImpossible: whether the schema is `false`, which has no keywords.
    init(
        _ object: JSONObject = JSONObject(),
        isImpossible: Bool = false,
        choices: ChoiceFacts = ChoiceFacts(),
        arrays: ArrayFacts = ArrayFacts(),
        objects: ObjectFacts = ObjectFacts()
    ) {
        self.isImpossible = isImpossible
        kinds = object["type"].flatMap(ValueKinds.init(types:))
        isNullable = object["nullable"]?.bool ?? false
        values = object["const"].map { [$0] } ?? object["enum"]?.array
        examples =
            (object["example"].map { [$0] } ?? []) + (object["examples"]?.array ?? [])
            + (object["default"].map { [$0] } ?? [])
        isReadOnly = object["readOnly"]?.bool ?? false
        isWriteOnly = object["writeOnly"]?.bool ?? false
        numbers = NumberConstraints(object)
        texts = TextFacts(object)
        self.arrays = arrays
        self.objects = objects
        self.choices = choices
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

extension ValueKinds {
    /// Reads `type`, a name or a list of names; `nil` when it is neither.
    init?(types value: JSONValue) {
        let names = value.string.map { [$0] } ?? value.array?.compactMap(\.string) ?? []
        guard !names.isEmpty else { return nil }
        self = names.reduce(into: []) { $0.formUnion(ValueKinds(named: $1)) }
    }
}

extension NumberConstraints {
    init(_ object: JSONObject) {
        minimum = object["minimum"]?.number
        maximum = object["maximum"]?.number
        steps = object["multipleOf"]?.number.map { [$0] } ?? []
        // A boolean in draft 4 and OpenAPI 3.0, a limit of its own since.
        excludesMinimum = object["exclusiveMinimum"]?.bool ?? false
        excludesMaximum = object["exclusiveMaximum"]?.bool ?? false
        if let limit = object["exclusiveMinimum"]?.number, minimum.map({ $0 <= limit }) ?? true {
            (minimum, excludesMinimum) = (limit, true)
        }
        if let limit = object["exclusiveMaximum"]?.number, maximum.map({ $0 >= limit }) ?? true {
            (maximum, excludesMaximum) = (limit, true)
        }
    }
}

extension TextFacts {
    init(_ object: JSONObject) {
        minimumLength = object["minLength"]?.int ?? 0
        maximumLength = object["maxLength"]?.int
        pattern = object["pattern"]?.string
        format = object["format"]?.string
    }

    /// Whether anything is said at all.
    var isTelling: Bool { minimumLength > 0 || maximumLength != nil || pattern != nil || format != nil }
}

/// Schemas by their properties' names, in the order of the document.
struct NamedSchemas {
    private(set) var all: [(name: String, schema: Int)] = []
    private var places: [ExactText: Int] = [:]

    /// How many are searched faster from one end to the other.
    private static let few = 8

    /// Adds a schema, whose name must be new.
    mutating func add(_ name: String, _ schema: Int) {
        all.append((name, schema))
        guard all.count > Self.few else { return }
        if places.isEmpty {
            for (place, known) in all.enumerated() { places[ExactText(known.name)] = place }
        } else {
            places[ExactText(name)] = all.count - 1
        }
    }

    subscript(name: String) -> Int? {
        guard places.isEmpty else { return places[ExactText(name)].map { all[$0].schema } }
        return all.first { $0.name.hasSameUTF8(as: name) }?.schema
    }
}

extension NumberConstraints {
    /// Whether a number lies within the limits and is a multiple, as far as that is easily known.
    func accepts(_ number: JSONNumber) -> Bool {
        allows(number)
            && steps.allSatisfy { step in
                guard let step = Decimal(step), step.mantissa > 0, let value = Decimal(number) else { return true }
                let scale = max(step.scale, value.scale)
                guard let step = step.mantissa(at: scale), let value = value.mantissa(at: scale) else { return true }
                return value % step == 0
            }
    }
}

/// The ranges that OpenAPI's formats of integers allow.
enum IntegerRange {
    static func of(_ format: String?) -> ClosedRange<Int>? {
        switch format {
        case "int32": Int(Int32.min)...Int(Int32.max)
        case "int64": Int.min...Int.max
        default: nil
        }
    }
}
