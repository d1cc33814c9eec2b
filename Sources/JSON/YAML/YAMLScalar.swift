/// A scalar whose meaning is not decided yet: a member's name keeps its text, a value is resolved by the schema.
struct YAMLScalar {
    var text: String
    /// A Boolean value that indicates whether it has neither quotes nor `|` or `>`, so that the schema decides what
    /// it is.
    var isPlain: Bool
    var position: JSONPosition
    var offset: Int
    var properties = YAMLProperties()

    /// The value by its tag, or by the core schema (YAML 1.2.2, section 10.3.2).
    func content(in scanner: YAMLScanner) throws(JSONSyntaxError) -> JSONValue.Content {
        switch properties.tag {
        case .none:
            guard isPlain else { return .string(text) }
            return try plainContent(in: scanner) ?? .string(text)
        case .nonSpecific, .string:
            return .string(text)
        case .integer where CoreNumber.isInteger(text), .float where !CoreNumber.isPrefixed(text):
            if case .number(let number) = try plainContent(in: scanner) { return .number(number) }
        case .boolean:
            if case .bool(let bool) = try plainContent(in: scanner) { return .bool(bool) }
        case .null:
            if case .null = try plainContent(in: scanner) { return .null }
        case .integer, .float, .sequence, .mapping:
            break
        }
        throw scanner.tagMismatch(at: properties.tagOffset)
    }

    /// The value of plain text that is not a string.
    private func plainContent(in scanner: YAMLScanner) throws(JSONSyntaxError) -> JSONValue.Content? {
        guard let first = text.utf8.first else { return .null }
        switch first {
        case 0x30...0x39, .minus, .plus, .point:
            switch CoreNumber(text) {
            case .number(let number): return .number(number)
            case .notFinite: throw scanner.error(.yaml(.notFinite(text)), at: offset)
            case .tooLarge: throw scanner.error(.yaml(.tooLargeNumber(text)), at: offset)
            case .none: return nil
            }
        case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "~"):
            return ["null", "Null", "NULL", "~"].contains(text) ? .null : nil
        case UInt8(ascii: "t"), UInt8(ascii: "T"):
            return ["true", "True", "TRUE"].contains(text) ? .bool(true) : nil
        case UInt8(ascii: "f"), UInt8(ascii: "F"):
            return ["false", "False", "FALSE"].contains(text) ? .bool(false) : nil
        default:
            return nil
        }
    }
}
