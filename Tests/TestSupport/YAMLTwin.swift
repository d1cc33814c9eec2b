package import JSON

/// The same value as YAML in block style, as people write it: names without quotes where that is allowed, long texts
/// over several lines, and comments in between.
package enum YAMLTwin {
    package static func text(of value: JSONValue) -> String {
        var lines = ["# A twin of a file in JSON"]
        write(value, indent: 0, first: "", to: &lines)
        return lines.joined(separator: "\n") + "\n"
    }

    /// A file of JSON as YAML, with the names of files that it refers to.
    package static func text(of json: String) throws -> String {
        text(of: try JSONParser().parse(json.replacing(".json", with: ".yaml")).root)
    }

    /// - Parameter first: what the value's first line begins with: an indicator, or a name and its colon.
    private static func write(_ value: JSONValue, indent: Int, first: String, to lines: inout [String]) {
        let space = String(repeating: " ", count: indent)
        switch value.content {
        case .array(let elements) where !elements.isEmpty:
            if !first.isEmpty { lines.append(first) }
            for element in elements {
                write(element, indent: indent + 2, first: space + "-", to: &lines)
            }
        case .object(let object) where !object.isEmpty:
            if !first.isEmpty { lines.append(first + " # \(object.count)") }
            for member in object.members {
                write(member.value, indent: indent + 2, first: space + name(member.name) + ":", to: &lines)
            }
        case .string(let text):
            lines.append(first.isEmpty ? scalar(text) : first + " " + scalar(text))
        default:
            lines.append(first.isEmpty ? value.text() : first + " " + value.text())
        }
    }

    private static func name(_ text: String) -> String { isPlain(text) ? text : JSONValue.string(text).text() }

    private static func scalar(_ text: String) -> String {
        let isWord = isPlain(text) && !["true", "false", "null"].contains(text) && text.first?.isNumber != true
        if isWord { return text }
        let isSingle = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        return isSingle ? "'" + text.replacing("'", with: "''") + "'" : JSONValue.string(text).text()
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }
    }
}
