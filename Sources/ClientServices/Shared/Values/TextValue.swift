public import Foundation

/// A value that is a text on the wire, and is kept as it came.
///
/// What the text means is found out on demand, so that one that cannot be read costs neither the value it
/// is a part of nor the list around that, and is written unchanged.
public protocol TextValue: Codable, Sendable, Hashable, CustomStringConvertible {
    /// The text as the server writes it.
    var text: String { get }

    /// A value by its text.
    init(_ text: String)
}

extension TextValue {
    /// Reads any text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text as it came.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The text as the server writes it.
    public var description: String { text }
}

/// A member that every response has, and that may be null in it.
///
/// Swift reads a missing member of an optional type as `nil`. Where the server promises a member, its absence is
/// another thing than null: it is a response of another kind, which should be refused.
@propertyWrapper
public struct Nullable<Value> {
    /// The value of the member; `nil` for null.
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

/// The address of a page or a picture, as the server writes it.
public struct WebLink: TextValue {
    /// The address as the server writes it.
    public let text: String

    /// An address by its text.
    public init(_ text: String) {
        self.text = text
    }

    /// The address to load from; `nil` when the text is not an address.
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
