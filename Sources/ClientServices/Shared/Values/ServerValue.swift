public import Foundation

/// A value that the server sends as text, such as the code of a goal, a time or a link.
///
/// Servers add codes and format values inconsistently, so any text is decoded and is encoded unchanged: an unknown value
/// does not prevent the enclosing value or list from being decoded. `Kind` is an enumeration without cases, and every
/// kind of value has a different one, so that values of two kinds have different types.
public struct ServerValue<Kind>: RawRepresentable, Codable, Sendable, Hashable {
    /// The text in the server's format.
    public let rawValue: String

    /// Creates a value from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension ServerValue: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a value from its text.
    public init(stringLiteral text: String) {
        rawValue = text
    }

    /// The text in the server's format.
    public var description: String { rawValue }
}

/// The URL of a web page or an image.
public typealias WebLink = ServerValue<WebLinkText>

/// The kind of a ``WebLink``.
public enum WebLinkText {}

extension WebLink {
    /// The URL, or `nil` if the text is not a valid URL.
    public var url: URL? { URL(string: rawValue) }
}
