public import Foundation

extension WhipIt {
    /// A point in time, as the server wrote it.
    ///
    /// The text is kept, because it stands for more than a `Date` can hold; a text that is no point in time has no
    /// ``date``, so that a screen shows none instead of a wrong one.
    public struct Moment: Codable, Sendable, Hashable {
        /// What the server wrote, such as `2023-12-09T17:52:57.551Z`.
        public let text: String

        /// Takes a text as the server writes it.
        public init(_ text: String) {
            self.text = text
        }

        /// Reads a text.
        public init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
        }

        /// Writes the text again.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }

        /// The point in time, with whatever fraction of a second was given; `nil` when the text is none.
        public var date: Date? {
            guard let dot = text.firstIndex(of: ".") else { return Self.wholeSeconds(text) }
            let digits = text[dot...].dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, let fraction = Double("0.\(digits)") else { return nil }
            return Self.wholeSeconds(text[..<dot] + text[digits.endIndex...])?.addingTimeInterval(fraction)
        }

        private static func wholeSeconds(_ text: some StringProtocol) -> Date? {
            ISO8601DateFormatter().date(from: String(text))
        }
    }
}
