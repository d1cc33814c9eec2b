/// A member that every answer has, and that may be null in it.
///
/// Swift reads a missing member of an optional type as `nil`. Where the server promises a member, its absence is
/// another thing than null: it is an answer of another kind, which should be refused.
@propertyWrapper
public struct Nullable<Value> {
    /// What the member holds; `nil` for null.
    public var wrappedValue: Value?

    /// A member that holds a value, or null.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}

extension Nullable: Decodable where Value: Decodable {
    /// Reads a value or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }
}

extension Nullable: Encodable where Value: Encodable {
    /// Writes the value, or null for none.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}
