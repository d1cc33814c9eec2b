/// Kinds of JSON values, integers apart from other numbers, as far as a schema's `type` distinguishes them.
///
/// A rough view, for those who make values or read them from text: what a schema accepts, its validation knows.
package struct ValueKinds: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let null = ValueKinds(rawValue: 1)
    package static let boolean = ValueKinds(rawValue: 2)
    package static let integer = ValueKinds(rawValue: 4)
    /// Numbers that are not integers.
    package static let fraction = ValueKinds(rawValue: 8)
    package static let string = ValueKinds(rawValue: 16)
    package static let array = ValueKinds(rawValue: 32)
    package static let object = ValueKinds(rawValue: 64)

    package static let number: ValueKinds = [.integer, .fraction]
    package static let scalars: ValueKinds = [.null, .boolean, .number, .string]
    package static let all: ValueKinds = [.scalars, .array, .object]
}

extension ValueKinds {
    /// The kinds of a type name of JSON Schema; none for another name.
    package init(named name: String) {
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

    /// The one kind of a value; 1.0 is an integer.
    package init(of value: JSONValue) {
        switch value.content {
        case .null: self = .null
        case .bool: self = .boolean
        case .number(let number): self = number.isInteger ? .integer : .fraction
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }

    /// Each kind by itself, always in the same order.
    package var singles: [ValueKinds] {
        (0..<7).map { ValueKinds(rawValue: 1 << $0) }.filter(contains)
    }
}
