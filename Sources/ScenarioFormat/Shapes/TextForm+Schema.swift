import JSON

extension TextForm {
    /// The forms that have a definition in the JSON Schema, by its name.
    static let named: [(name: String, form: TextForm)] = [
        ("duration", .duration), ("signedDuration", .signedDuration), ("rate", .rate), ("instant", .instant),
        ("start", .start), ("path", .path), ("routeKey", .route), ("pointer", .pointer), ("name", .name),
        ("fieldName", .fieldName), ("word", .token), ("kindOrAll", .kindOrAll), ("rule", .rule),
    ]

    var definitionName: String? { Self.named.first { $0.form == self }?.name }

    /// The form as JSON Schema.
    ///
    /// It is as exact as a regular expression can be. Only the loader knows that a duration has a longest, that
    /// February has no 30th, and that percent-encoded bytes must be UTF-8.
    var schema: JSONObject {
        var schema: JSONObject = ["type": "string"]
        switch self {
        case .any: break
        case .filled: schema["minLength"] = 1
        case .rule: schema["enum"] = .array(RuleNames.written.map(JSONValue.string))
        case .oneOf(let words): schema["enum"] = .array(words.map(JSONValue.string))
        default: schema["pattern"] = pattern.map(JSONValue.string)
        }
        return schema
    }

    private var pattern: String? {
        switch self {
        case .any, .filled, .rule, .oneOf: nil
        case .duration: DurationText.pattern(sign: "")
        case .signedDuration: DurationText.pattern(sign: "-?")
        case .rate: RateText.pattern
        case .instant: "^\(Self.instantPattern)$"
        case .start: "^(now|\(Self.instantPattern))$"
        case .path: #"^[^\u0000]+$"#
        case .route: Self.routePattern
        case .pointer: #"^(/([^~]|~[01])*)?$"#
        case .name: "^\(Self.namePattern)$"
        case .kindOrAll: "^([*]|\(Self.namePattern))$"
        case .fieldName, .token: #"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"#
        }
    }

    private static let namePattern = "[A-Za-z][A-Za-z0-9_-]*"

    private static let instantPattern =
        "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)"
        + "([.][0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"

    /// A method in capitals or `*`, and a path of literals, parameters in braces, and perhaps a last `*`.
    private static let routePattern: String = {
        let letter = #"([^/{}?#%*\u0000-\u0020\u007F]|%[0-9A-Fa-f]{2})"#
        let parameter = "[A-Za-z_][A-Za-z0-9_-]*"
        return "^([A-Z_-]+|[*]) (?=/)(/([{]\(parameter)[}]|\(letter)(\(letter)|[*])*)?)*(/[*](\(parameter))?)?$"
    }()
}
