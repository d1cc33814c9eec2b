import JSONText

/// What kinds of values a schema wants, as far as text must know to be read: a rough view that never refuses.
struct ValueShape: Sendable {
    /// Types of JSON Schema; a number may be an integer too.
    struct Kinds: OptionSet, Sendable {
        let rawValue: UInt8

        static let null = Kinds(rawValue: 1 << 0)
        static let boolean = Kinds(rawValue: 1 << 1)
        static let integer = Kinds(rawValue: 1 << 2)
        static let fraction = Kinds(rawValue: 1 << 3)
        static let string = Kinds(rawValue: 1 << 4)
        static let array = Kinds(rawValue: 1 << 5)
        static let object = Kinds(rawValue: 1 << 6)
        static let number: Kinds = [.integer, .fraction]
        static let primitive: Kinds = [.null, .boolean, .number, .string]
        static let any: Kinds = [.primitive, .array, .object]
    }

    var kinds = Kinds.any
    /// URIs of the schemas of an array's elements; an element may be meant by any of them.
    var items: [String] = []
    /// The named properties and the URIs of their schemas.
    var properties: [(name: String, schemas: [String])] = []
    /// URIs of the schemas of other properties.
    var additional: [String] = []
    /// Whether other properties are mentioned by the schema, and not just not forbidden.
    var wantsOthers = false

    static let anything = ValueShape()

    func schemas(ofProperty name: String) -> [String] {
        properties.first { $0.name.hasSameUTF8(as: name) }?.schemas ?? additional
    }

    func hasProperty(_ name: String) -> Bool {
        properties.contains { $0.name.hasSameUTF8(as: name) }
    }
}

extension ValueShape.Kinds {
    /// The kind that a schema's `type` names.
    init(named name: String) {
        switch name {
        case "null": self = .null
        case "boolean": self = .boolean
        case "integer": self = .integer
        case "number": self = .number
        case "string": self = .string
        case "array": self = .array
        case "object": self = .object
        default: self = []
        }
    }

    init(of value: JSONValue) {
        self.init(named: value.kindName)
    }
}
