public import Foundation

/// The address of a page or a picture, as the server writes it.
public struct WebLink: TextValue {
    /// The address as the server writes it.
    public let text: String

    /// An address by its text.
    public init(_ text: String) {
        self.text = text
    }

    /// The address to load from; `nil` when the text is none.
    public var url: URL? { URL(string: text) }
}
