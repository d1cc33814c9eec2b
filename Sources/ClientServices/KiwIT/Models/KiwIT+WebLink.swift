public import Foundation

extension KiwIT {
    /// The address of a page or a picture.
    ///
    /// The text is kept as it came, so that an address that is none does not cost the whole list it stands in.
    public struct WebLink: Codable, Sendable, Hashable {
        /// The address as the server writes it.
        public var text: String

        /// An address as the server writes it.
        public init(_ text: String) {
            self.text = text
        }

        /// Reads the text.
        public init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
        }

        /// Writes the text as it came.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }

        /// The address; `nil` when the text is none.
        public var url: URL? { URL(string: text) }
    }
}
