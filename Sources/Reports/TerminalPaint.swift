import Findings

/// Colours for a terminal, or none; what is painted has its control characters made visible.
struct TerminalPaint: Sendable {
    enum Colour: String {
        case bold = "1"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case grey = "90"
    }

    var isColoured: Bool

    func callAsFunction(_ colour: Colour, _ text: String) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text.printable)\u{1B}[0m" : text.printable
    }
}
