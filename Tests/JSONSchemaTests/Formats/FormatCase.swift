import Testing

/// A text, and whether it is of a format.
struct FormatCase: Sendable, CustomTestStringConvertible {
    var format: String
    var text: String
    var isAccepted: Bool

    var testDescription: String { "\(format) \(isAccepted ? "accepts" : "refuses") \(text.debugDescription)" }

    static func cases(_ format: String, accepted: [String], refused: [String]) -> [FormatCase] {
        accepted.map { FormatCase(format: format, text: $0, isAccepted: true) }
            + refused.map { FormatCase(format: format, text: $0, isAccepted: false) }
    }
}
