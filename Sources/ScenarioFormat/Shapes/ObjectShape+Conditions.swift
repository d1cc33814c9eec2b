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
        Key("inFlight", .text(.oneOf(["route"])), "Whether another request of the same route is being answered."),
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
        Key("length", .object(.length), "How many Unicode scalars the text has, or elements the array."),
        Key("not", .matcher, "Not this."),
    ]
    static let length = ObjectShape(
        [
            Key("atLeast", .integer(0...Int.max), "Not fewer."),
            Key("atMost", .integer(0...Int.max), "Not more."),
        ],
        saysSomething: true
    )
    static let matcher = ObjectShape(matcherKeys, saysSomething: true)
}

extension Shape {
    /// Names of which there must be one, because none would hold for nothing.
    static let names = Shape.list(of: .text(.name), count: 1...Int.max)

    fileprivate static let bound = Shape.choice([.number(-Double.infinity...Double.infinity), .text(.any)])

    /// A value stands for itself; an object says more than "equal".
    static let matcher = Shape.choice([
        .object(.matcher), .text(.any), .number(-Double.infinity...Double.infinity), .boolean, .null,
    ])

    static func matchers(names: TextForm) -> Shape {
        .map(of: matcher, names: names)
    }
}
