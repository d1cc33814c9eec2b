/// A value of two parts whose properties the server sends in one JSON object.
protocol JoinedObject: Codable {
    associatedtype First: Codable
    associatedtype Second: Codable

    static var layout: JoinedLayout<Self, First, Second> { get }
}

/// The place of the two parts in the object: the first part's properties are those of the object, and the second part is
/// one more property or, without a name, further properties.
struct JoinedLayout<Whole, First: Codable, Second: Codable>: Sendable {
    let first: @Sendable (Whole) -> First
    let second: @Sendable (Whole) -> Second
    let name: String?
    /// The second part if its property is missing; `nil` if the property is required.
    let missing: (@Sendable () -> Second)?
    let whole: @Sendable (First, Second) -> Whole

    init(
        _ first: @escaping @Sendable (Whole) -> First,
        _ second: @escaping @Sendable (Whole) -> Second,
        as name: String? = nil,
        missing: (@Sendable () -> Second)? = nil,
        whole: @escaping @Sendable (First, Second) -> Whole
    ) {
        self.first = first
        self.second = second
        self.name = name
        self.missing = missing
        self.whole = whole
    }
}

extension JoinedObject {
    /// Decodes both parts from one JSON object.
    public init(from decoder: any Decoder) throws {
        let layout = Self.layout
        let first = try First(from: decoder)
        guard let name = layout.name else {
            self = layout.whole(first, try Second(from: decoder))
            return
        }
        let container = try decoder.container(keyedBy: PropertyName.self)
        let key = PropertyName(stringValue: name)
        if let missing = layout.missing {
            self = layout.whole(first, try container.decodeIfPresent(Second.self, forKey: key) ?? missing())
        } else {
            self = layout.whole(first, try container.decode(Second.self, forKey: key))
        }
    }

    /// Encodes both parts into one JSON object.
    public func encode(to encoder: any Encoder) throws {
        let layout = Self.layout
        try layout.first(self).encode(to: encoder)
        guard let name = layout.name else { return try layout.second(self).encode(to: encoder) }
        var container = encoder.container(keyedBy: PropertyName.self)
        try container.encode(layout.second(self), forKey: PropertyName(stringValue: name))
    }
}

private struct PropertyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
