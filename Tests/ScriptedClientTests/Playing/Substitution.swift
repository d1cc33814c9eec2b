import Basics
import HTTPCodec
import JSON

/// Puts taken values into the texts of a script: `$name`, and `$$` for a dollar sign.
struct Substitution {
    /// What a value is written like in its place.
    enum Form {
        case plain
        /// In a query or a form.
        case encoded
        /// In a path, where slashes of a value go on separating.
        case path
        /// In JSON text: inside of quotes, or as a value of its own.
        case json
    }

    var values: [String: JSONValue]

    /// - Throws: a sentence, where a name has no value.
    func applied(to text: String, _ form: Form) throws(Missing) -> String {
        guard text.contains("$") else { return text }
        var result = ""
        var rest = text[...]
        var isQuoted = false
        while let character = rest.popFirst() {
            if character == "\\", form == .json, isQuoted, let next = rest.popFirst() {
                result += "\\\(next)"
                continue
            }
            if character == "\"" { isQuoted.toggle() }
            guard character == "$" else {
                result.append(character)
                continue
            }
            if rest.first == "$" {
                result.append("$")
                rest.removeFirst()
                continue
            }
            let name = rest.prefix { Self.isNamePart($0) }
            guard Self.isName(name) else {
                result.append("$")
                continue
            }
            rest = rest.dropFirst(name.count)
            guard let value = values[String(name)] else { throw Missing(name: String(name)) }
            result += written(value, form, isQuoted: isQuoted)
        }
        return result
    }

    private func written(_ value: JSONValue, _ form: Form, isQuoted: Bool) -> String {
        let plain = value.string ?? value.description
        switch form {
        case .plain: return plain
        case .encoded: return PercentEncoding.encode(plain)
        case .path: return PercentEncoding.encode(plain, allowing: "/:@!$&'()*+,;=%")
        case .json where isQuoted: return String(JSONValue.string(plain).description.dropFirst().dropLast())
        case .json: return value.description
        }
    }

    static func isName(_ text: Substring) -> Bool {
        text.first.map { $0.isASCII && $0.isLetter } ?? false && text.allSatisfy(isNamePart)
    }

    private static func isNamePart(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }

    struct Missing: Error {
        var name: String
        var sentence: String { "nothing has been taken as $\(name)" }
    }
}
