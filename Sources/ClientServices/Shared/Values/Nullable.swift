/// A property that is always present but can be null.
///
/// Swift decodes a missing property of an optional type as `nil`. With this wrapper, decoding fails if the property is
/// missing, because the server always sends the property.
@propertyWrapper
public struct Nullable<Value> {
    /// The property's value, or `nil` for null.
    public var wrappedValue: Value?

    /// Creates a property with a value or null.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}

extension Nullable: Decodable where Value: Decodable {
    /// Decodes a value or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }
}

extension Nullable: Encodable where Value: Encodable {
    /// Encodes the value, or null if the value is `nil`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}
