/// The header fields of a message in their order; names are compared without regard to case (RFC 9110, section 5.1).
public struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name as it is written.
        public var name: String
        /// The value without white space around it.
        public var value: String

        /// A field of this name.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Every field, also several of one name.
    public private(set) var all: [Field] = []

    /// No fields.
    public init() {}

    /// The fields of a literal, in its order.
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
