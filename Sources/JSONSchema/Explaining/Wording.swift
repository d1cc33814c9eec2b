import Basics
import JSON

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

    /// `an integer`, `a string or null`.
    static func types(_ kinds: KindSet) -> String {
        var words: [String] = []
        if kinds.contains(KindSet.object) { words.append("an object") }
        if kinds.contains(KindSet.array) { words.append("an array") }
        if kinds.contains(KindSet.string) { words.append("a string") }
        if kinds.contains(KindSet.number) {
            words.append("a number")
        } else if kinds.contains(KindSet.integer) || kinds.contains(KindSet.plainInteger) {
            words.append("an integer")
        }
        if kinds.contains(KindSet.boolean) { words.append("true or false") }
        if kinds.contains(KindSet.null) { words.append("null") }
        return words.isEmpty ? "nothing at all" : words.joined(lastBy: "or")
    }

    /// `"a"`, or `one of "a", "b" and 3 others`.
    static func choice(_ values: [JSONValue]) -> String {
        guard values.count != 1 else { return shownInFull(values[0]) }
        guard values.count > 8 else {
            return values.isEmpty ? "nothing at all" : "one of \(values.map(shownInFull).joined(lastBy: "or"))"
        }
        return "one of \(values.prefix(6).map(shownInFull).joined(separator: ", ")) and \(values.count - 6) others"
    }

    private static func shownInFull(_ value: JSONValue) -> String {
        switch value.content {
        case .array, .object: value.text(.compact).printable.shortened
        default: shown(value)
        }
    }

    static func format(_ name: String) -> String {
        switch name {
        case "date": "a date such as 2026-03-01"
        case "date-time": "a moment such as 2026-03-01T09:00:00Z"
        case "email": "an e-mail address"
        case "uuid": "a UUID"
        case "int32": "an integer of 32 bits"
        case "int64": "an integer of 64 bits"
        default: "the format \(name)"
        }
    }

    /// `1 property`, `2 properties`.
    static func count(_ count: Int, _ word: String) -> String {
        if count == 1 { return "1 \(word)" }
        return word.hasSuffix("y") ? "\(count) \(word.dropLast())ies" : "\(count) \(word)s"
    }

    static func bound(_ least: Bool, _ limit: Int) -> String { "\(least ? "at least" : "at most") \(limit)" }
}
