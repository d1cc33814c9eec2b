extension ObjectShape {
    static let condition = ObjectShape(conditionKeys, merging: .whole)
    private static let conditionKeys = [
        Key("method", .matcher, "The method."),
        Key("path", .matchers(names: .any), "Parameters of the path, by name."),
        Key("header", .matchers(names: .fieldName), "Header fields, by name."),
        Key("query", .matchers(names: .any), "Query items, by name."),
        Key("body", .matchers(names: .pointer), "Places in the JSON body, by JSON Pointer."),
        Key("form", .matchers(names: .any), "Fields of a form-urlencoded body, by name."),
        Key("part", .matchers(names: .any), "Parts of a multipart body, by name: their text or file name."),
        Key("device", .matcher, "The device's name."),
        Key("account", .matcher, "The account's name."),
        Key(
            "state",
            .map(of: .choice([.text(.name), .names]), names: .name),
            "States and the values that fit."
        ),
        Key(
            "found",
            .map(of: .choice([.boolean, .matchers(names: .pointer)]), names: .name),
            "What the route has found: whether there is something, or what it is like by JSON Pointer."
        ),
        Key(
            "upload",
            .map(of: .object(.uploadTest), names: .any),
            "What the multipart parts of a name must be like, every one of them."
        ),
        Key(
            "inFlight",
            .choice([.text(.oneOf(["route"])), .object(.openRequests)]),
            "Whether another request of the same route, or so many of any route, are being answered."
        ),
        Key("all", .list(of: .object(.condition), count: 1...Int.max), "All of these."),
        Key("any", .list(of: .object(.condition), count: 1...Int.max), "At least one of these."),
        Key("not", .object(.condition), "Not this."),
    ]

    private static let matcherKeys = [
        Key("equals", .anything, "The value, exactly."),
        Key(
            "oneOf",
            .choice([.list(of: .anything, count: 1...Int.max), .text(.any)]),
            "One of these values; or a placeholder that is an array."
        ),
        Key("exists", .boolean, "Whether there is a value at all."),
        Key(
            "contains",
            .anything,
            "A part of the text, or an element of the array; an object stands for one with its members."
        ),
        Key("startsWith", .text(.any), "The beginning of the text."),
        Key("endsWith", .text(.any), "The end of the text."),
        Key("atLeast", .bound, "A number that is not smaller, or a text that does not sort before."),
        Key("atMost", .bound, "A number that is not greater, or a text that does not sort behind."),
        Key("matches", .text(.any), "A regular expression (ECMAScript) that is found in the text."),
        Key("date", .text(.oneOf(DateForm.allCases.map(\.rawValue))), "A day or a moment by RFC 3339."),
        Key("type", .choice([.type, .list(of: .type, count: 1...Int.max)]), "The kind of JSON value, or kinds."),
        Key("each", .matcher, "What every element of the array must be."),
        Key(
            "length",
            .choice([.integer(0...Int.max), .text(.filled), .object(.length)]),
            "How many Unicode scalars the text has, or elements the array."
        ),
        Key("not", .matcher, "Not this."),
    ]
    static let length = ObjectShape(
        anyOf: [
            Key("atLeast", .integer(0...Int.max), "Not fewer."),
            Key("atMost", .integer(0...Int.max), "Not more."),
        ]
    )
    static let uploadTest = ObjectShape([
        Key(
            "count",
            .choice([.integer(0...1_000_000), .object(.count)]),
            "How many there are; at least one if not said."
        ),
        Key("size", .matcher, "How many bytes each has."),
        Key("filename", .matcher, "The name of each file."),
        Key("type", .matcher, "The media type of each."),
    ])
    static let openRequests = ObjectShape([
        Key("atLeast", .integer(1...1_000_000), "How many others.", required: true)
    ])
    static let matcher = ObjectShape(anyOf: matcherKeys)
}

extension Shape {
    /// Names of which there must be one, because none would hold for nothing.
    static let names = Shape.list(of: .text(.name), count: 1...Int.max)

    fileprivate static let type = Shape.text(.oneOf(Matcher.TypeName.allCases.map(\.rawValue)))
    fileprivate static let bound = Shape.choice([.number(-Double.infinity...Double.infinity), .text(.any)])

    /// A value stands for itself; an object says more than "equal".
    static let matcher = Shape.choice([
        .object(.matcher), .text(.any), .number(-Double.infinity...Double.infinity), .boolean, .null,
    ])

    static func matchers(names: TextForm) -> Shape {
        .map(of: matcher, names: names)
    }
}
