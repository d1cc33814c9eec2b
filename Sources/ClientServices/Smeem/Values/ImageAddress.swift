public import Foundation

extension Smeem {
    /// Where an image is, as the server writes it.
    public struct ImageAddress: Codable, Sendable, Hashable {
        /// The address as the server writes it.
        public let text: String

        /// An address by its text.
        public init(_ text: String) {
            self.text = text
        }

        /// Reads a text.
        public init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
        }

        /// Writes the text.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }

        /// The address to load the image from; `nil` when the text is none.
        public var url: URL? { URL(string: text) }
    }
}
