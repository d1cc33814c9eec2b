import Basics
import JSON

/// Text for XML 1.0, with everything escaped or replaced that the standard does not allow.
enum XMLText {
    /// For an element's content, or for an attribute's value in double quotes.
    ///
    /// Line breaks and tabs of an attribute are written as references, because a parser would make spaces of them
    /// (XML 1.0, section 3.3.3); characters that no document may have become U+FFFD (section 2.2).
    static func escaped(_ text: String, isAttribute: Bool) -> String {
        text.replacing { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\n" where !isAttribute, "\t" where !isAttribute: nil
            case "\n", "\r", "\t": "&#\(scalar.value);"
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: nil
            }
        }
    }
}

/// An element with its attributes in order.
struct XMLElement {
    var name: String
    var attributes: [(name: String, value: String)]
    var content: Content

    enum Content {
        case text(String)
        case elements([XMLElement])
    }

    init(_ name: String, _ attributes: [(name: String, value: String?)] = [], _ content: Content = .elements([])) {
        self.name = name
        self.attributes = attributes.compactMap { attribute in attribute.value.map { (attribute.name, $0) } }
        self.content = content
    }

    func write(to text: inout String, depth: Int = 0) {
        text += String(repeating: "  ", count: depth) + "<\(name)"
        for attribute in attributes {
            text += " \(attribute.name)=\"\(XMLText.escaped(attribute.value, isAttribute: true))\""
        }
        switch content {
        case .elements(let elements) where elements.isEmpty:
            text += "/>\n"
        case .elements(let elements):
            text += ">\n"
            for element in elements { element.write(to: &text, depth: depth + 1) }
            text += String(repeating: "  ", count: depth) + "</\(name)>\n"
        case .text(let content):
            text += ">\(XMLText.escaped(content, isAttribute: false))</\(name)>\n"
        }
    }
}
