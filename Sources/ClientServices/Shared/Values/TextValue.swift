/// A value that is a text on the wire, and is kept as it came.
///
/// What the text means is found out when somebody asks, so that one that nobody understands costs neither the value it
/// stands in nor the list around that, and is written again without a change.
public protocol TextValue: Codable, Sendable, Hashable, CustomStringConvertible {
    /// The text as the server writes it.
    var text: String { get }

    /// A value by its text.
    init(_ text: String)
}

extension TextValue {
    /// Reads a text, whatever it says.
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
