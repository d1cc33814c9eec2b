import JSON

/// The types that a `type` keyword names, as a set.
struct KindSet: OptionSet, Sendable, Hashable {
    var rawValue: UInt8

    static let null = KindSet(rawValue: 1)
    static let boolean = KindSet(rawValue: 2)
    static let integer = KindSet(rawValue: 4)
    /// Numbers that are no integers.
    static let fraction = KindSet(rawValue: 8)
    static let string = KindSet(rawValue: 16)
    static let array = KindSet(rawValue: 32)
    static let object = KindSet(rawValue: 64)
    /// Draft 4: the integers that are written as such, so that 1.0 is none.
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

    /// Whether a value is of one of these types; 1.0 is an integer for every draft but the fourth.
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
    /// Whether the text has neither a fraction nor an exponent (draft 4, core, section 3.5).
    var isPlainInteger: Bool { text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2D } }
}
