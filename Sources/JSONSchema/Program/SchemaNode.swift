import ECMAPatterns
package import JSON

/// A compiled schema: what it requires of each type, and the schemas that it applies in place.
///
/// Numbers refer to the lists of ``CompiledSchemas``; -1 means no entry.
struct SchemaNode: Sendable {
    /// Its place, for messages.
    var place: Int32
    /// The resource that it belongs to, for `$dynamicRef`.
    var resource: Int32
    var verdict = Verdict.depends
    var kinds = KindSet.all
    /// OpenAPI 3.0: null is accepted, whichever other keywords there are.
    var isNullable = false
    var isReadOnly = false
    var isWriteOnly = false
    /// OpenAPI 3.0: `required` takes effect in one direction alone where a property is read-only or write-only.
    var isOneWay = false
    var values: Int32 = -1
    var numbers: Int32 = -1
    var strings: Int32 = -1
    var arrays: Int32 = -1
    var objects: Int32 = -1
    /// The annotations, which validation does not read.
    var annotations: Int32 = -1
    var applicators: Range<Int32> = 0..<0
    var unevaluatedItems: Int32 = -1
    var unevaluatedProperties: Int32 = -1

    /// The verdict that is known without an instance.
    enum Verdict: UInt8, Sendable {
        case depends
        case accepts
        case refuses
    }

    /// A Boolean value that indicates whether only the type and the rules for single values matter, so that nothing is
    /// nested.
    var isScalar: Bool {
        values < 0 && arrays < 0 && objects < 0 && applicators.isEmpty && unevaluatedItems < 0
            && unevaluatedProperties < 0
    }
}

/// A schema applied to the same instance.
struct Applicator: Sendable {
    enum Kind: UInt8, Sendable {
        case reference
        case dynamicReference
        case allOf
        case anyOf
        case oneOf
        case not
        /// Three links: `if`, `then`, `else`.
        case condition
    }

    var kind: Kind
    /// A range of ``CompiledSchemas/links``; of one link, the number of a dynamic reference.
    var links: Range<Int32>
}

/// A reference whose target depends on the way that led to it.
struct DynamicReference: Sendable {
    /// The target when no resource on the way has the anchor.
    var target: Int32
    /// The nodes with the anchor, by resource; empty when the reference turned out to be a plain one.
    var candidates: [Int32: Int32]
}

/// The types that a `type` keyword names, as a set.
struct KindSet: OptionSet, Sendable, Hashable {
    var rawValue: UInt8

    static let null = KindSet(rawValue: 1)
    static let boolean = KindSet(rawValue: 2)
    static let integer = KindSet(rawValue: 4)
    /// Numbers that are not integers.
    static let fraction = KindSet(rawValue: 8)
    static let string = KindSet(rawValue: 16)
    static let array = KindSet(rawValue: 32)
    static let object = KindSet(rawValue: 64)
    /// Draft 4: the integers that are written as such, so that 1.0 is not one.
    static let plainInteger = KindSet(rawValue: 128)

    static let number: KindSet = [.integer, .fraction]
    static let all: KindSet = [.null, .boolean, .number, .plainInteger, .string, .array, .object]
}

extension KindSet {
    /// The set that a name of the specification means.
    init?(named name: String, in dialect: SchemaDialect) {
        switch name {
        case "integer" where dialect == .draft4: self = .plainInteger
        case "null": self = .null
        case "boolean": self = .boolean
        case "integer": self = .integer
        case "number": self = .number
        case "string": self = .string
        case "array": self = .array
        case "object": self = .object
        default: return nil
        }
    }

    static let names = ["null", "boolean", "integer", "number", "string", "array", "object"]

    /// Returns whether a value is of one of these types; 1.0 is an integer for every draft but the fourth.
    @inline(__always)
    func contains(_ value: JSONValue) -> Bool {
        switch value.content {
        case .null: contains(KindSet.null)
        case .bool: contains(KindSet.boolean)
        case .string: contains(KindSet.string)
        case .array: contains(KindSet.array)
        case .object: contains(KindSet.object)
        case .number(let number): containsNumber(number)
        }
    }

    @inline(__always)
    private func containsNumber(_ number: JSONNumber) -> Bool {
        switch intersection(.number) {
        case .number: true
        case []: contains(KindSet.plainInteger) && number.isPlainInteger
        case .integer: number.isInteger
        default: !number.isInteger
        }
    }
}

extension JSONNumber {
    /// A Boolean value that indicates whether the text has neither a fraction nor an exponent (draft 4, core, section
    /// 3.5).
    var isPlainInteger: Bool { text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2D } }
}

/// The requirements of a schema for numbers.
package struct NumberRules: Sendable {
    package var minimum: JSONNumber?
    package var maximum: JSONNumber?
    package var exclusiveMinimum: JSONNumber?
    package var exclusiveMaximum: JSONNumber?
    package var multipleOf: JSONNumber?
    /// A format that numbers can have, when formats are asserted.
    var format: IntegerFormat?
}

/// The requirements of a schema for strings; lengths are in Unicode scalars.
struct StringRules: Sendable {
    var minimumLength = 0
    var maximumLength = Int.max
    var pattern: ECMAPattern?
    /// A format that is asserted.
    var format: StringFormat?
}

/// The requirements of a schema for arrays.
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
    /// A Boolean value that indicates whether what `contains` found counts as evaluated (since draft 2020-12).
    var containsEvaluates = false
}

/// The requirements of a schema for objects.
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
    /// The numbers of properties that are required in either direction, in a request, and in a response.
    var requiredCounts = (0, 0, 0)
    var patterns: [(pattern: ECMAPattern, node: Int32)] = []
    var additional: Int32 = -1
    var names: Int32 = -1
    var dependentNames: [(name: String, required: [String])] = []
    var dependentSchemas: [(name: String, node: Int32)] = []

    /// A Boolean value that indicates whether the members' values or names are looked at one by one.
    var looksAtMembers: Bool { !properties.isEmpty || !patterns.isEmpty || additional >= 0 || names >= 0 }
}

/// The values that `enum` or `const` allow.
struct ValueSet: Sendable {
    let values: [JSONValue]
    private let hashed: Set<JSONValue>

    init(_ values: [JSONValue]) {
        self.values = values
        hashed = values.count > 8 ? Set(values) : []
    }

    func contains(_ value: JSONValue) -> Bool {
        hashed.isEmpty ? values.contains(value) : hashed.contains(value)
    }
}

/// OpenAPI's formats of integers, as far as they set limits.
enum IntegerFormat: String, Sendable {
    case int8, int16, int32, int64, uint8, uint16, uint32, uint64

    func accepts(_ number: JSONNumber) -> Bool {
        guard number.isInteger else { return false }
        let limits = limits
        return !(number < limits.lower) && !(limits.upper < number)
    }

    var limits: (lower: JSONNumber, upper: JSONNumber) {
        switch self {
        case .int8: (JSONNumber(Int8.min), JSONNumber(Int8.max))
        case .int16: (JSONNumber(Int16.min), JSONNumber(Int16.max))
        case .int32: (JSONNumber(Int32.min), JSONNumber(Int32.max))
        case .int64: (JSONNumber(Int64.min), JSONNumber(Int64.max))
        case .uint8: (0, JSONNumber(UInt8.max))
        case .uint16: (0, JSONNumber(UInt16.max))
        case .uint32: (0, JSONNumber(UInt32.max))
        case .uint64: (0, JSONNumber(UInt64.max))
        }
    }
}
