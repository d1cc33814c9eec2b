import Basics

/// Text inside a Mermaid diagram, where a semicolon or a line break would end the statement.
enum MermaidText {
    /// More than this of a text is not shown in a diagram.
    private static let longest = 90

    /// Everything that could mean something is written as one of Mermaid's own character codes: `#59;`.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.printable.shortenedInside(toCells: longest).unicodeScalars {
            switch scalar {
            case "#", ";", ":", "<", ">", "&", "\"", "`", "%", "{", "}", "\\", "$":
                escaped.append(contentsOf: "#\(scalar.value);".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        // `end` closes a block wherever it stands alone.
        let text = String(escaped)
        return text.lowercased() == "end" ? "#101;" + text.dropFirst() : text
    }
}
