import Basics

extension JSONValue {
    /// What a value is, in the middle of a sentence: `the string "abc"`, `an array of 3`.
    package var shownBriefly: String {
        switch content {
        case .number(let number): "the number \(number.text.shortened)"
        case .string(let text): "the string \"\(text.shortened)\""
        case .bool(let flag): "\(flag)"
        case .null: "null"
        case .array(let values): values.isEmpty ? "an empty array" : "an array of \(values.count)"
        case .object: "an object"
        }
    }
}
