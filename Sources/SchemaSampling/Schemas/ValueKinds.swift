import JSONText

/// Kinds of JSON values, integers apart from other numbers.
struct ValueKinds: OptionSet, Hashable {
    let rawValue: UInt8

    static let null = ValueKinds(rawValue: 1)
    static let boolean = ValueKinds(rawValue: 2)
    static let integer = ValueKinds(rawValue: 4)
    static let fraction = ValueKinds(rawValue: 8)
    static let string = ValueKinds(rawValue: 16)
    static let array = ValueKinds(rawValue: 32)
    static let object = ValueKinds(rawValue: 64)

    static let number: ValueKinds = [.integer, .fraction]
    static let scalars: ValueKinds = [.null, .boolean, .integer, .fraction, .string]
    static let all: ValueKinds = [.scalars, .array, .object]

    /// The kinds that a name of JSON Schema stands for; none for a name that is no type's.
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
        switch value.content {
        case .null: self = .null
        case .bool: self = .boolean
        case .number(let number): self = number.isInteger ? .integer : .fraction
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Each kind by itself, always in the same order.
    var singles: [ValueKinds] {
        (0..<7).map { ValueKinds(rawValue: 1 << $0) }.filter(contains)
    }
}
