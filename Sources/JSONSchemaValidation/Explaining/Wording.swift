import Findings
import JSONText

/// How values are named in sentences.
enum Wording {
    /// A value in a few words: itself when it is short, else what it is.
    static func shown(_ value: JSONValue) -> String {
        switch value.content {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): number.text.shortened
        case .string(let string): "\"\(string.printable.shortened)\""
        case .array(let elements): elements.isEmpty ? "an empty array" : "an array"
        case .object(let object): object.isEmpty ? "an empty object" : "an object"
        }
    }

    /// `a, b or c`.
    static func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
