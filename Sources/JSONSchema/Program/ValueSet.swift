import JSON

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
