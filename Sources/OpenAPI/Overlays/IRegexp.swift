import ECMAPatterns

/// An interoperable regular expression (RFC 9485), as `match` and `search` of JSONPath take it.
struct IRegexp: Sendable {
    private let pattern: ECMAPattern

    /// `nil` for a text that is not one; such an expression matches nothing.
    init?(_ source: String, isWhole: Bool) {
        let translated = Self.translated(source)
        guard let pattern = try? ECMAPattern(isWhole ? "^(?:\(translated))$" : translated) else { return nil }
        self.pattern = pattern
    }

    /// Returns whether it matches; not, when the search would take too many steps.
    func accepts(_ text: String) -> Bool {
        pattern.search(in: text) == .match
    }

    /// The same in ECMAScript (RFC 9485, section 5.3): a dot outside of a class is `[^\n\r]`, and `\-` is a hyphen.
    private static func translated(_ source: String) -> String {
        var text = String.UnicodeScalarView()
        var isInClass = false
        var isEscaped = false
        for scalar in source.unicodeScalars {
            if isEscaped {
                isEscaped = false
                if scalar != "-" || isInClass { text.append("\\") }
                text.append(scalar)
                continue
            }
            switch scalar {
            case "\\": isEscaped = true
            case "." where !isInClass: text.append(contentsOf: "[^\\n\\r]".unicodeScalars)
            default:
                if scalar == "[" { isInClass = true }
                if scalar == "]" { isInClass = false }
                text.append(scalar)
            }
        }
        if isEscaped { text.append("\\") }
        return String(text)
    }
}
