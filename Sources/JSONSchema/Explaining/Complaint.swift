import Basics
import JSON

/// A violation as data; the words are in ``Complaint/sentence(about:at:in:)``.
enum Complaint: Sendable {
    case notAllowed
    case wrongType(KindSet)
    case wrongValue([JSONValue])
    case limit(String, JSONNumber)
    case format(String)
    case pattern(String)
    /// The number of characters, elements or properties.
    case count(Int, of: String, least: Bool, limit: Int)
    case equalElements(Int, Int)
    case contained(Int, least: Bool, limit: Int)
    case missing(String)
    case missingBeside(String, because: String)
    case unknownProperty(isClosed: Bool)
    case leftOverElement
    case badName(String)
    case ruledOut
    case fitsNone
    case fitsSeveral(Int)
    case causes
}

extension Complaint {
    /// The finding and the requirement, without a closing full stop.
    func sentence(about value: JSONValue, at path: InstancePath, in words: SchemaWords) -> String {
        let name = path.name ?? words.value
        let schema = words.schema
        let found = "\(name) is \(Wording.shown(value)), but \(schema) requires"
        switch self {
        case .notAllowed: return "\(name) is not allowed by \(schema)"
        case .wrongType(let kinds): return "\(found) \(Wording.types(kinds))"
        case .wrongValue(let values): return "\(found) \(Wording.choice(values))"
        case .limit(let words, let limit): return "\(found) \(words) \(limit.text)"
        case .format(let format): return "\(found) \(Wording.format(format))"
        case .pattern(let source): return "\(found) a text that matches `\(source)`"
        case .count(let count, let word, let least, let limit):
            return "\(name) has \(Wording.count(count, word)), but \(schema) requires \(Wording.bound(least, limit))"
        case .equalElements(let first, let second):
            return "the elements \(first) and \(second) in \(name) are equal, but \(schema) requires unique elements"
        case .contained(let count, let least, let limit):
            return "\(name) has \(Wording.count(count, "element")) matching `contains`,"
                + " but \(schema) requires \(Wording.bound(least, limit))"
        case .missing(let property): return "\(path.name(of: property)) is missing, but \(schema) requires it"
        case .missingBeside(let property, let other):
            return
                "\(path.name(of: property)) is missing, but \(schema) requires it when \(path.name(of: other)) is present"
        case .unknownProperty(let isClosed):
            return isClosed
                ? "\(name) is not a property that \(schema) allows"
                : "\(name) is a property that no part of \(schema) allows"
        case .leftOverElement: return "\(name) is one element more than \(schema) allows"
        case .badName(let property):
            return "\(Wording.shown(.string(property))) is not a name that \(schema) allows in \(name)"
        case .ruledOut: return "\(name) is \(Wording.shown(value)), which \(schema) does not allow (`not`)"
        case .fitsNone: return "\(name) matches none of the alternatives in \(schema)"
        case .fitsSeveral(let count):
            return "\(name) matches \(count) alternatives in \(schema), but must match exactly one"
        case .causes: return "\(name) does not match this part of \(schema)"
        }
    }
}

/// The names of values in sentences.
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
        case "date-time": "a date and time such as 2026-03-01T09:00:00Z"
        case "email": "an email address"
        case "uuid": "a UUID"
        case "int32": "a 32-bit integer"
        case "int64": "a 64-bit integer"
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
