/// Colours for a terminal, or none.
///
/// Control characters of painted text are escaped, so only our own colours reach a terminal.
package struct Paint: Sendable {
    package enum Colour: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
        case grey = "90"
        case bold = "1"
    }

    package var isColoured: Bool

    package init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    package func callAsFunction(_ colour: Colour, _ text: String) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text.printable)\u{1B}[0m" : text.printable
    }

    package func callAsFunction(_ severity: Finding.Severity, _ text: String) -> String {
        switch severity {
        case .note: self(.grey, text)
        case .warning: self(.yellow, text)
        case .error: self(.red, text)
        }
    }

    package func callAsFunction(_ finding: Finding) -> String {
        self(finding.severity, finding.description)
    }
}
