import Findings

/// Colours for a terminal, or none.
///
/// Whatever is painted has its control characters escaped, so that only our own colours reach a terminal.
struct Paint: Sendable {
    enum Colour: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
        case grey = "90"
        case bold = "1"
    }

    var isColoured: Bool

    func callAsFunction(_ colour: Colour, _ text: String) -> String {
        let text = text.escapingControls
        return isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    func callAsFunction(_ severity: Finding.Severity, _ text: String) -> String {
        switch severity {
        case .note: self(.grey, text)
        case .warning: self(.yellow, text)
        case .error: self(.red, text)
        }
    }

    func callAsFunction(_ finding: Finding) -> String {
        self(finding.severity, finding.description)
    }
}

extension String {
    /// The text with control characters made visible, so that what a client sends cannot steer a terminal.
    package var escapingControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory.isUnprintable }) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.properties.generalCategory.isUnprintable {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.GeneralCategory {
    /// Controls, and formats such as the marks that turn the direction of writing.
    fileprivate var isUnprintable: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}
