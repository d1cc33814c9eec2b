import JSON

extension ValueKinds {
    /// Reads `type`, a name or a list of names; `nil` when it is neither.
    init?(types value: JSONValue) {
        let names = value.string.map { [$0] } ?? value.array?.compactMap(\.string) ?? []
        guard !names.isEmpty else { return nil }
        self = names.reduce(into: []) { $0.formUnion(ValueKinds(named: $1)) }
    }
}

extension NumberFacts {
    init(_ object: JSONObject) {
        minimum = object["minimum"]?.number
        maximum = object["maximum"]?.number
        multipleOf = object["multipleOf"]?.number
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
