import JSON

/// OpenAPI's formats of integers, as far as they set limits.
enum IntegerFormat: String, Sendable {
    case int8, int16, int32, int64, uint8, uint16, uint32, uint64

    func accepts(_ number: JSONNumber) -> Bool {
        guard number.isInteger else { return false }
        let limits = limits
        return !(number < limits.lower) && !(limits.upper < number)
    }

    private var limits: (lower: JSONNumber, upper: JSONNumber) {
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
