/// The header fields of a message in their order; names are compared without regard to case (RFC 9110, section 5.1).
public struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public private(set) var all: [Field] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        all = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first field's value; setting it replaces all fields of that name, and `nil` removes them.
    public subscript(name: String) -> String? {
        get { all.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            all.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { all.append(Field(name: name, value: newValue)) }
        }
    }

    /// Adds a field behind the others, also where there is one of that name.
    public mutating func append(_ name: String, _ value: String) {
        all.append(Field(name: name, value: value))
    }
}
