public import Foundation

/// A value that is transmitted as text and preserves the original text.
///
/// The text is parsed only on demand and is encoded unchanged, so invalid text does not prevent the enclosing value or
/// list from being decoded.
public protocol TextValue: Codable, Sendable, Hashable, CustomStringConvertible {
    /// The text in the server's format.
    var text: String { get }

    /// Creates a value from its text.
    init(_ text: String)
}

extension TextValue {
    /// Decodes any text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the original text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The text in the server's format.
    public var description: String { text }
}

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

/// The URL of a web page or an image, in the server's format.
public struct WebLink: TextValue {
    /// The URL in the server's format.
    public let text: String

    /// Creates a link from its text.
    public init(_ text: String) {
        self.text = text
    }

    /// The URL, or `nil` if the text is not a valid URL.
    public var url: URL? { URL(string: text) }
}

extension Decoder {
    /// Reads a value whose members share an object with a further member.
    func object<Base: Decodable, Member: Decodable>(with key: some CodingKey) throws -> (Base, Member) {
        (try Base(from: self), try member(key))
    }

    /// Reads such a value where the further member may be missing.
    func object<Base: Decodable, Member: Decodable>(
        with key: some CodingKey,
        default missing: Member
    ) throws -> (Base, Member) {
        (try Base(from: self), try optionalMember(key) ?? missing)
    }

    private func member<Key: CodingKey, Member: Decodable>(_ key: Key) throws -> Member {
        try container(keyedBy: Key.self).decode(Member.self, forKey: key)
    }

    private func optionalMember<Key: CodingKey, Member: Decodable>(_ key: Key) throws -> Member? {
        try container(keyedBy: Key.self).decodeIfPresent(Member.self, forKey: key)
    }
}

extension Encoder {
    /// Writes a value and a further member into one object.
    func object<Key: CodingKey>(_ base: some Encodable, with key: Key, _ member: some Encodable) throws {
        try base.encode(to: self)
        var container = container(keyedBy: Key.self)
        try container.encode(member, forKey: key)
    }
}
