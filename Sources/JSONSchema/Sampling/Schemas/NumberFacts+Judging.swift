import JSON

extension NumberFacts {
    /// Whether a number lies within the limits and is a multiple, as far as that is easily known.
    func accepts(_ number: JSONNumber) -> Bool {
        if let minimum, excludesMinimum ? number <= minimum : number < minimum { return false }
        if let maximum, excludesMaximum ? number >= maximum : number > maximum { return false }
        guard let multipleOf, let step = Decimal(multipleOf), step.mantissa > 0, let value = Decimal(number) else {
            return true
        }
        let scale = max(step.scale, value.scale)
        guard let step = step.mantissa(at: scale), let value = value.mantissa(at: scale) else { return true }
        return value % step == 0
    }
}

/// The range that OpenAPI's formats of integers allow.
enum IntegerRange {
    case int32
    case int64

    static func of(_ format: String?) -> IntegerRange? {
        switch format {
        case "int32": .int32
        case "int64": .int64
        default: nil
        }
    }

    var bounds: ClosedRange<Int> {
        switch self {
        case .int32: Int(Int32.min)...Int(Int32.max)
        case .int64: Int.min...Int.max
        }
    }

    func contains(_ number: JSONNumber) -> Bool {
        guard number.isInteger else { return true }
        return number.int.map(bounds.contains) ?? false
    }
}
